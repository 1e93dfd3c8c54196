"""The service's rules as pure functions over plain values: no database, no web, no clock."""
