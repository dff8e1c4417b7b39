"""Hosts that send every http address to its https form."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import urlsplit

#: So many addresses of a host must have led to their own https form before its other links are asked for so.
WITNESSES = 3
#: Of more hosts nothing is learnt: a crawl of the open web sees any number.
MAX_HOSTS = 10_000
_LIVES = re.compile(r"max-age\s*=\s*\"?0*[1-9]", re.IGNORECASE)


class SchemeWatch:
    """Tells hosts that live on https from what their answers say.

    Old links say http for years. If each of them costs a request that ends in a redirect, a harvest takes twice as
    long. A host that ever gave a page over http is left alone: there the two forms may be two pages.
    """

    def __init__(self) -> None:
        #: Host → its witnesses; its own word is worth as many as are needed.
        self._redirects: Counter[str] = Counter()
        self._plain: set[str] = set()

    def sees(self, asked: str, answered: str, transport_security: str = "") -> str | None:
        """Take in an answer; return its host if from now on it is known to live on https.

        :param asked: the address asked for, before redirects.
        :param answered: the address that gave the page.
        :param transport_security: the answer's ``Strict-Transport-Security`` (RFC 6797, §8.1: one over http counts
            for nothing).
        """
        answer = urlsplit(answered)
        host = answer.netloc
        if len(self._plain) + len(self._redirects) >= MAX_HOSTS:
            return None
        if answer.scheme != "https":
            self._plain.add(host)
            return None
        if host in self._plain or answer.port is not None:
            return None
        if _LIVES.search(transport_security):
            self._redirects[host] += WITNESSES
            return host
        if asked.partition("://") == ("http", "://", answered.partition("://")[2]):
            self._redirects[host] += 1
            if self._redirects[host] >= WITNESSES:
                return host
        return None
