"""The service's use cases: each takes a session and the time and returns plain dataclasses; none commits."""
