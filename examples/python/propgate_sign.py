#!/usr/bin/env python3
"""Signs requests to a Propgate service and sends them. Needs Python 3.9 or newer and no packages.

usage: propgate_sign.py [--print] METHOD TARGET [BODY | @FILE], with PROPGATE_KEY_ID and
PROPGATE_SECRET set (examples/README.md). As a module: status, answer, _ = send("GET", target)
"""

import base64, hashlib, hmac, os, secrets, sys, time
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit


def sign(secret, method, target, timestamp, nonce, body):
    """The canonical string and the signature header's value. The body is bytes."""
    body_sha256 = hashlib.sha256(body).hexdigest()
    canonical = "\n".join(["v1", method, target, timestamp, nonce, body_sha256])
    digest = hmac.new(secret.encode(), canonical.encode(), hashlib.sha256).digest()  # not hexdigest
    return canonical, "v1=" + base64.b64encode(digest).decode()  # encodebytes adds a newline


def fresh():
    """A timestamp and a nonce, for one request: a retry needs new ones."""
    now = str(time.time_ns() // 1_000_000)  # time.time() is in seconds, and has a decimal point
    return os.getenv("PROPGATE_TIMESTAMP", now), os.getenv("PROPGATE_NONCE", secrets.token_hex(16))


def send(method, target, body=b""):
    """Sends target and body unchanged. Returns the status, the answer's bytes and its headers."""
    base = urlsplit(os.getenv("PROPGATE_BASE_URL", "http://127.0.0.1:8787"))
    brand = os.getenv("PROPGATE_BRAND", "Service")
    timestamp, nonce = fresh()
    _, signature = sign(os.environ["PROPGATE_SECRET"], method, target, timestamp, nonce, body)
    headers = {
        f"X-{brand}-Key-Id": os.environ["PROPGATE_KEY_ID"],
        f"X-{brand}-Timestamp": timestamp,
        f"X-{brand}-Nonce": nonce,
        f"X-{brand}-Signature": signature,
        "Content-Type": "application/json",
    }
    connect = HTTPSConnection if base.scheme == "https" else HTTPConnection
    connection = connect(base.netloc, timeout=10)
    connection.request(method, target, body or None, headers)
    response = connection.getresponse()
    return response.status, response.read(), response.headers


if __name__ == "__main__":
    print_only = sys.argv[1:2] == ["--print"]
    words = sys.argv[2:] if print_only else sys.argv[1:]
    if len(words) not in (2, 3) or not os.getenv("PROPGATE_SECRET"):
        sys.exit(__doc__)
    method, target, body = (words + [""])[:3]
    body = open(body[1:], "rb").read() if body.startswith("@") else os.fsencode(body)
    if print_only:
        print(*sign(os.environ["PROPGATE_SECRET"], method, target, *fresh(), body), sep="\n---\n")
    else:
        status, answer, _ = send(method, target, body)
        print(answer.decode())
        sys.exit(status != 200)
