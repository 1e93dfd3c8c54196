"""Keys: the password or the recovery words that opened a player, good for as long as they still do."""

from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.models import Account, Player
from puzzle_service.services import players


@dataclass(frozen=True)
class Key:
    """What opened a player: ``kept`` is what was kept of it then.

    Looking at a password takes long, so it is done before the transaction that something hangs on.
    """

    player_id: int
    kept: str = field(repr=False)


def still_opens(session: Session, key: Key) -> bool:
    """Tell whether a key has neither been changed nor its player deleted since; it stays so from then on.

    Nobody changes either before this transaction ends.
    """
    if not players.lock(session, key.player_id):
        return False
    kept = (
        select(Player.recovery_hash, Account.password_hash)
        .outerjoin(Account, Account.player_id == Player.id)
        .where(Player.id == key.player_id)
    )
    return key.kept in session.execute(kept).one()
