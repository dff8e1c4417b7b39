"""Which network addresses a crawler may connect to: public ones, and those the user allows."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from newscrawl.console.wording import separated
from newscrawl.exceptions import UserError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

#: What is said of an address that is refused.
NOT_PUBLIC = "is not public (-s NEWSCRAWL_ALLOW_NETS=127.0.0.0/8 would allow this machine's)"
_NAT64 = ip_network("64:ff9b::/96")
#: Names of this machine or this network.
_LOCAL_NAMES = ("localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback")
_LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")


def parse_networks(value: str | list[str], name: str = "NEWSCRAWL_ALLOW_NETS") -> tuple[Network, ...]:
    """Read a list of networks.

    :param name: of the setting or option.

    >>> parse_networks("127.0.0.0/8, ::1")
    (IPv4Network('127.0.0.0/8'), IPv6Network('::1/128'))
    """
    try:
        return tuple(ip_network(word) for word in separated(value))
    except ValueError as error:
        raise UserError(f"{name}={value!r}: {error}; accepted: networks such as 127.0.0.0/8,::1/128") from error


def may_connect(address: Address, allowed: tuple[Network, ...]) -> bool:
    """Tell whether an address is public and unicast, or allowed. Of IPv4 within IPv6, the IPv4 part counts."""
    meant = _embedded_ipv4(address) or address
    if any(one in network for network in allowed for one in (address, meant)):
        return True
    return meant.is_global and not meant.is_multicast and not meant.is_reserved


def literal_address(host: str) -> Address | None:
    """Return the address that a host spells in any form a C library takes (``2130706433``, ``0x7f.1``), or None."""
    host = host.strip("[]").partition("%")[0]
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host.rstrip(".")))
    except (OSError, ValueError, UnicodeError):
        return None


def is_local_name(host: str) -> bool:
    """Tell whether a name never is a public site's."""
    host = host.rstrip(".").lower()
    return host in _LOCAL_NAMES or host.endswith(_LOCAL_ENDINGS)


def _embedded_ipv4(address: Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for: mapped, 6to4, Teredo or NAT64."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)
