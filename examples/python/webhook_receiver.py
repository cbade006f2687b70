#!/usr/bin/env python3
"""Receives webhooks: verifies each delivery, and handles events and alerts once, in order. Python 3.9.

usage: webhook_receiver.py DATABASE [PORT], an SQLite file, with WEBHOOK_SECRETS set to the secret of
the webhook; during a rotation to both, with a space between. TLS ends in the proxy before it.
"""

import base64, hashlib, hmac, json, os, sqlite3, sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer

BODY_MAX = 1_000_000
SKEW_MAX_S = 300


def is_genuine(headers, body, secrets):
    """Whether one of the secrets has signed id, timestamp and body, in the last five minutes."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > SKEW_MAX_S:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    given = headers.get("webhook-signature", "").encode().split(b" ")
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        own = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(one, own) for one in given):
            return True
    return False


def lane_of(event):
    """The account that numbers an event, or the owner that numbers an alert."""
    if event["sequence"] is not None:
        return event["accountId"]
    return f"alerts {event.get('ownerId') or ''}"  # without an owner those of the operator


def number_of(event):
    """The number of an event or alert in its lane; None for a test."""
    return event["sequence"] if event["sequence"] is not None else event.get("number")


def take(database, event, handle):
    """Handles an event or alert, and keeps its number in one transaction. Returns the status."""
    lane, number, previous = lane_of(event), number_of(event), event["previous"]
    if number is None:  # webhook.test, which is in no lane
        return 200
    row = database.execute("SELECT number FROM place WHERE lane = ?", (lane,)).fetchone()
    if row is not None and number <= row[0]:
        return 200  # it was handled before, and the answer was lost
    before = number - 1 if previous is None else previous  # null at the first of a webhook's lane
    if row is not None and before > row[0]:
        return 409  # some are missing: the lane stops until a person has replayed them
    with database:
        handle(event)
        database.execute("INSERT OR REPLACE INTO place VALUES (?, ?)", (lane, number))
    return 200


def receiver(database, secrets, handle):
    """The handler of an HTTPServer, which takes one delivery at a time."""
    database.execute("CREATE TABLE IF NOT EXISTS place (lane TEXT PRIMARY KEY, number INTEGER)")

    class Receiver(BaseHTTPRequestHandler):
        timeout = 10  # a connection that sends nothing holds no other back for longer

        def do_POST(self):
            length = self.headers.get("content-length", "")
            if not length.isdecimal() or int(length) > BODY_MAX:
                return self.answer(413)
            body = self.rfile.read(int(length))
            if not is_genuine(self.headers, body, secrets):
                return self.answer(401)
            self.answer(take(database, json.loads(body)["data"], handle))

        def answer(self, status):
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    return Receiver


if __name__ == "__main__":
    secrets = os.getenv("WEBHOOK_SECRETS", "").split()
    if len(sys.argv) not in (2, 3) or not secrets:
        sys.exit(__doc__)
    show = lambda event: print(lane_of(event), number_of(event), event["type"], flush=True)
    handler = receiver(sqlite3.connect(sys.argv[1]), secrets, show)
    server = HTTPServer(("127.0.0.1", int((sys.argv[2:] or ["9000"])[0])), handler)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
