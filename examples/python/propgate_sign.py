#!/usr/bin/env python3
"""Signs requests to a Propgate service and sends them. Standard library only, Python 3.9 or newer.

As a module:

    client = Propgate("http://127.0.0.1:8787", key_id, secret)
    status, answer = client.get("/api/v1/trading/account")
    status, answer = client.post("/api/v1/trading/orders", {"trade": {...}})

As a command, with PROPGATE_KEY_ID, PROPGATE_SECRET, PROPGATE_BASE_URL and PROPGATE_BRAND in the environment:

    propgate_sign.py GET '/api/v1/trading/payouts?limit=10'
    propgate_sign.py POST /api/v1/trading/orders '{"trade": {...}}'     (or @order.json)
    propgate_sign.py --print GET /api/v1/trading/account    prints the canonical string, ---, the signature
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import secrets
import sys
import time
import urllib.parse


def canonical_string(method, target, timestamp, nonce, body):
    """The six signed parts, a newline between them and none at the end. body is bytes."""
    body_sha256 = hashlib.sha256(body).hexdigest()
    return "\n".join(["v1", method.upper(), target, timestamp, nonce, body_sha256])


def signature(secret, canonical):
    """The value of the signature header."""
    digest = hmac.new(secret.encode("utf-8"), canonical.encode("utf-8"), hashlib.sha256).digest()
    return "v1=" + base64.b64encode(digest).decode("ascii")


class Propgate:
    def __init__(self, base_url, key_id, secret, brand="Service", timeout=10):
        self.base = urllib.parse.urlsplit(base_url)
        self.key_id = key_id
        self.secret = secret
        self.brand = brand
        self.timeout = timeout

    def get(self, target):
        return self.send("GET", target)

    def post(self, target, payload):
        # Serialised once: these bytes are signed, and these bytes are sent.
        return self.send("POST", target, json.dumps(payload).encode("utf-8"))

    def headers(self, method, target, body):
        """Fresh for every request, a repeated one too: a nonce works once."""
        timestamp = str(int(time.time() * 1000))
        nonce = secrets.token_hex(16)
        canonical = canonical_string(method, target, timestamp, nonce, body)
        return {
            f"X-{self.brand}-Key-Id": self.key_id,
            f"X-{self.brand}-Timestamp": timestamp,
            f"X-{self.brand}-Nonce": nonce,
            f"X-{self.brand}-Signature": signature(self.secret, canonical),
        }

    def send(self, method, target, body=b""):
        """Sends target as it stands, without normalising it. Returns (status, parsed answer)."""
        secure = self.base.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = connect(self.base.netloc, timeout=self.timeout)
        headers = self.headers(method, target, body)
        if body:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, target, body=body or None, headers=headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()


def main(arguments):
    print_only = arguments[:1] == ["--print"]
    if print_only:
        arguments = arguments[1:]
    if len(arguments) not in (2, 3):
        print("usage: propgate_sign.py [--print] METHOD TARGET [BODY | @FILE]", file=sys.stderr)
        return 2
    method, target = arguments[0].upper(), arguments[1]
    body = read_body(arguments[2] if len(arguments) == 3 else "")
    needed = ["PROPGATE_SECRET"] if print_only else ["PROPGATE_SECRET", "PROPGATE_KEY_ID"]
    missing = [name for name in needed if not os.environ.get(name)]
    if missing:
        print(f"set {' and '.join(missing)} in the environment", file=sys.stderr)
        return 2
    secret = os.environ["PROPGATE_SECRET"]
    if print_only:
        timestamp = os.environ.get("PROPGATE_TIMESTAMP") or str(int(time.time() * 1000))
        nonce = os.environ.get("PROPGATE_NONCE") or secrets.token_hex(16)
        canonical = canonical_string(method, target, timestamp, nonce, body)
        print(canonical, "---", signature(secret, canonical), sep="\n")
        return 0
    url = os.environ.get("PROPGATE_BASE_URL", "http://127.0.0.1:8787")
    brand = os.environ.get("PROPGATE_BRAND", "Service")
    client = Propgate(url, os.environ["PROPGATE_KEY_ID"], secret, brand)
    status, answer = client.send(method, target, body)
    print(json.dumps(answer, ensure_ascii=False))
    return 0 if status == 200 else 1


def read_body(argument):
    if argument.startswith("@"):
        with open(argument[1:], "rb") as file:
            return file.read()
    return argument.encode("utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
