from __future__ import annotations

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.exceptions import UserError
from newscrawl.net.addresses import is_local_name, literal_address, may_connect, parse_networks


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("172.31.255.255", False),
        ("172.32.0.1", True),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104 (the address under test)
        ("224.0.0.1", False),
        ("240.0.0.1", False),
        ("255.255.255.255", False),
        ("2606:4700::1111", True),
        ("::", False),
        ("::1", False),
        ("fe80::1", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("2002:7f00:1::", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b::5db8:d822", True),
    ],
)
def test_only_public_addresses(address: str, *, public: bool) -> None:
    assert may_connect(ip_address(address), ()) is public


def test_allowed_networks() -> None:
    allowed = parse_networks("127.0.0.0/8,::1/128")
    assert may_connect(ip_address("127.1.2.3"), allowed)
    assert may_connect(ip_address("::ffff:127.0.0.1"), allowed)
    assert may_connect(ip_address("::1"), allowed)
    assert not may_connect(ip_address("10.0.0.1"), allowed)
    assert parse_networks(" ") == ()


@pytest.mark.parametrize("value", ["localhost", "127.0.0.1/8", "10.0.0.0/33", "10.0.0.0/8;::1"])
def test_a_wrong_network_is_named(value: str) -> None:
    with pytest.raises(UserError, match=r"NEWSCRAWL_ALLOW_NETS=.*accepted: networks such as 127\.0\.0\.0/8"):
        parse_networks(value)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0x7f000001", "127.0.0.1.", "[::1]", "::1%lo"]
)
def test_every_spelling_of_this_machine(host: str) -> None:
    address = literal_address(host)
    assert address is not None
    assert not may_connect(address, ())


@pytest.mark.parametrize("host", ["example.org", "1.example", "", "a.b.c.d", "..", "例子.测试"])
def test_names_are_no_addresses(host: str) -> None:
    assert literal_address(host) is None


@pytest.mark.parametrize(
    ("host", "local"), [("LocalHost", True), ("a.localhost.", True), ("nas.local", True), ("local.example.org", False)]
)
def test_local_names(host: str, *, local: bool) -> None:
    assert is_local_name(host) is local


@given(st.integers(min_value=0, max_value=2**32 - 1))
def test_an_address_is_judged_the_same_inside_ipv6(number: int) -> None:
    plain = IPv4Address(number)
    assert may_connect(ip_address(f"::ffff:{plain}"), ()) == may_connect(plain, ())
    assert literal_address(str(number)) == plain
