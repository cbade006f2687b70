#!/usr/bin/env python3
"""Signs requests to a Propgate service and sends them. Python 3.9 or newer, nothing else.

    export PROPGATE_KEY_ID=pk_... PROPGATE_SECRET=sk_...
    python3 propgate_sign.py GET '/api/v1/trading/payouts?limit=10'
    python3 propgate_sign.py POST /api/v1/trading/orders @order.json          (or the JSON itself)
    python3 propgate_sign.py --print GET /api/v1/trading/account    canonical string, ---, signature

PROPGATE_BASE_URL (http://127.0.0.1:8787) and PROPGATE_BRAND (Service) say where and how.
As a module: status, answer = send("POST", "/api/v1/trading/orders", json.dumps(order).encode())
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
    """A timestamp and a nonce, for one request only: one that is sent again needs new ones."""
    now = str(time.time_ns() // 1_000_000)  # time.time() is in seconds, and has a decimal point
    nonce = secrets.token_hex(16)
    return os.environ.get("PROPGATE_TIMESTAMP", now), os.environ.get("PROPGATE_NONCE", nonce)


def send(method, target, body=b""):
    """Sends target and body as they stand. Returns the status and the answer's bytes."""
    base = urlsplit(os.environ.get("PROPGATE_BASE_URL", "http://127.0.0.1:8787"))
    brand = os.environ.get("PROPGATE_BRAND", "Service")
    timestamp, nonce = fresh()
    _, signature = sign(os.environ["PROPGATE_SECRET"], method, target, timestamp, nonce, body)
    headers = {
        f"X-{brand}-Key-Id": os.environ["PROPGATE_KEY_ID"], f"X-{brand}-Timestamp": timestamp,
        f"X-{brand}-Nonce": nonce, f"X-{brand}-Signature": signature,
        "Content-Type": "application/json",
    }
    connect = HTTPSConnection if base.scheme == "https" else HTTPConnection
    connection = connect(base.netloc, timeout=10)
    connection.request(method, target, body or None, headers)
    response = connection.getresponse()
    return response.status, response.read()


if __name__ == "__main__":
    words = sys.argv[1:]
    print_only = words[:1] == ["--print"]
    if len(words) - print_only not in (2, 3):
        sys.exit("usage: propgate_sign.py [--print] METHOD TARGET [BODY | @FILE]")
    if not os.environ.get("PROPGATE_SECRET"):
        sys.exit("set PROPGATE_KEY_ID and PROPGATE_SECRET in the environment")
    method, target, body = (words[print_only:] + [""])[:3]
    body = open(body[1:], "rb").read() if body.startswith("@") else os.fsencode(body)
    if print_only:
        print(*sign(os.environ["PROPGATE_SECRET"], method, target, *fresh(), body), sep="\n---\n")
    else:
        status, answer = send(method, target, body)
        print(answer.decode())
        sys.exit(status != 200)
