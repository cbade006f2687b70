#!/usr/bin/env python3
"""Handles each event of an account exactly once and checks the journal's hashes. Needs Python 3.9.

usage: events_consumer.py [--until-head] DATABASE, an SQLite file, with PROPGATE_KEY_ID and
PROPGATE_SECRET set as for propgate_sign.py, which must lie beside this file.
"""

import hashlib, json, sqlite3, sys, time
from http.client import HTTPException
from propgate_sign import send

START = ("0", 0, "00" * 32)  # cursor, number and hash before the first event


class HistoryDiffers(Exception):
    """The journal was altered, or is another one. A person has to look."""


def seconds(retry_after):
    """How long to wait: as the service says, up to a minute, else five seconds."""
    known = retry_after is not None and retry_after.isdecimal()
    return min(int(retry_after), 60) if known else 5


def read_page(cursor, wait):
    """The next page of events. Waits and asks again while the service is away or busy."""
    while True:
        try:
            target = f"/api/v1/trading/events?after={cursor}&limit=500&proof=1&wait={wait}"
            status, answer, headers = send("GET", target)
        except (OSError, HTTPException):
            status, answer, headers = 503, b"", {}
        if status == 200:
            return json.loads(answer)["data"]
        if status == 400 and (b"history differs" in answer or b"ahead of the journal" in answer):
            raise HistoryDiffers(answer.decode())
        if status != 429 and status < 500:
            raise SystemExit(f"{status}: {answer.decode()}")
        time.sleep(seconds(headers.get("Retry-After")))


def check(event, sequence, before):
    """The event's hash, when the event follows the one before: SHA-256 over its hash and the line."""
    line = event["proof"]["line"]
    digest = hashlib.sha256(bytes.fromhex(before) + line.encode()).hexdigest()
    _, number, at_ms, *_ = json.loads(line.split("\n", 1)[0])
    its = (event["sequence"], event["proof"]["hash"], event["cursor"], event["atMs"], number)
    following = sequence + 1
    if its != (following, digest, f"{following}-{digest[:32]}", at_ms, following):
        raise HistoryDiffers(f"event {event['sequence']} does not follow event {sequence}")
    return digest


def follow(database, handle, until_head=False):
    """Calls handle(event) and keeps the place in one transaction, so a crash repeats nothing."""
    database.execute("CREATE TABLE IF NOT EXISTS place (cursor TEXT, sequence INTEGER, hash TEXT)")
    place = database.execute("SELECT cursor, sequence, hash FROM place").fetchone() or START
    while True:
        page = read_page(place[0], 0 if until_head else 5)  # send gives up after 10 seconds
        for event in page["items"]:
            place = (event["cursor"], event["sequence"], check(event, place[1], place[2]))
            with database:
                handle(event)
                database.execute("DELETE FROM place")
                database.execute("INSERT INTO place VALUES (?, ?, ?)", place)
        if until_head and page["head"]["sequence"] <= place[1]:
            return


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--until-head"]
    if len(words) != 1:
        sys.exit(__doc__)
    show = lambda event: print(event["sequence"], event["type"], flush=True)
    follow(sqlite3.connect(words[0]), show, until_head="--until-head" in sys.argv)
