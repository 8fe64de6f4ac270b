"""Addresses of storages as they may be shown: nothing of a password, however it is written."""

from __future__ import annotations

import re
from urllib.parse import unquote

_HIDDEN = "***"
# So many letters in a row of a secret, and a message tells too much of it.
_TELLING = 3


def is_database(address: str) -> bool:
    """Whether an address is a database's; everything else is a journal file."""
    return "://" in address


def without_password(address: str) -> str:
    """An address that may be shown.

    Where it can be read in one way only, all but the password; else no more than the kind of database: a
    password may have an @, a / or a ? in it, and may stand among the options after a ?.
    """
    if not is_database(address):
        return address
    scheme, _, rest = address.partition("://")
    if "?" in rest or rest.count("@") > 1:
        return f"{scheme}://{_HIDDEN}"
    login, at, place = rest.rpartition("@")
    # What stands where a port should be may be a password whose @ was forgotten.
    if not re.fullmatch(r"[^:]*(:[0-9]*)?", place.partition("/")[0]):
        return f"{scheme}://{_HIDDEN}"
    if not at:
        return address
    user, colon, _ = login.partition(":")
    return f"{scheme}://{user}:{_HIDDEN}@{place}" if colon else f"{scheme}://{_HIDDEN}@{place}"


def reason_without_password(error: Exception, address: str) -> str:
    """What a driver says, but only what kind of error it is where its words repeat a part of the secret."""
    said = " ".join(str(error).split()) or type(error).__name__
    for secret in _secrets(address):
        pieces = [secret[at : at + _TELLING] for at in range(max(1, len(secret) - _TELLING + 1))]
        if any(piece in said for piece in pieces):
            return f"{type(error).__name__} (its words would show a part of the password)"
    return said


def _secrets(address: str) -> list[str]:
    """Everything that an address does not show, as it is written and as it is meant."""
    if without_password(address) == address:
        return []
    rest = address.partition("://")[2]
    if "?" in rest or rest.count("@") > 1 or "@" not in rest:
        hidden = re.split(r"[:@/?&=]", rest)
    else:
        login = rest.rpartition("@")[0]
        hidden = [login.partition(":")[2] or login]
    return [secret for each in hidden for secret in {each, unquote(each)} if secret]
