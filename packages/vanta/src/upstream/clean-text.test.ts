import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { createTextCleaner } from "./clean-text.ts";

const KEY = "sk-0123456789/abc+def==";
const cleaner = createTextCleaner({
  key: KEY,
  hosts: ["validator.example:48888", "validator.example"],
});

describe("a text of an upstream", () => {
  test.each<readonly [string, string]>([
    [
      "No buying power remaining for BTC/USDC (capped by per pair cap 1.5x)",
      "No buying power remaining for BTC/USDC (capped by per pair cap 1.5x)",
    ],
    [
      "The market for BRK.B is closed until 14:30:00.",
      "The market for BRK.B is closed until 14:30:00.",
    ],
    ["Need $1,000.50, have $2.10", "Need $1,000.50, have $2.10"],
    [
      "Order 8f14e45f-ceea-4671-a1b2-0123456789ab already processed",
      "Order 8f14e45f-ceea-4671-a1b2-0123456789ab already processed",
    ],
    [`bad key ${KEY}!`, "bad key [key]!"],
    [`bad key ${encodeURIComponent(KEY)}!`, "bad key [key]!"],
    [`bad key ${Buffer.from(KEY).toString("base64")}`, "bad key [key]="],
    ["Authorization: Bearer other-secret is wrong", "Authorization: [key] is wrong"],
    ["sk-0123\u0000456789/abc\u200b+def==", "[key]"],
    ["sk-01\u034f23456789/abc\ufe0f+def\u3164==", "[key]"],
    ["cannot reach VALIDATOR.example:48888", "cannot reach [host]"],
    ["HTTPConnectionPool(host='10.1.2.3', port=80)", "HTTPConnectionPool(host='[host]', port=80)"],
    ["dial 10.1.2.3:9000 failed", "dial [host] failed"],
    ["dial [2001:db8::1]:9000 failed", "dial [host] failed"],
    ["dial 2001:db8:0:1:2:3:4:5 failed", "dial [host] failed"],
    ["see db-1.internal.corp.net now", "see [host] now"],
    ["see redis:6379 and redis.local", "see redis:6379 and [host]"],
    ["see localhost:6379", "see [host]"],
    ["see https://user:pw@a.b/c?d=e now", "see [url] now"],
    ["see postgres://user:pw@db/x", "see [url]"],
    ["File /home/miner/vanta/order.py, line 3", "File [path], line 3"],
    ["File ~/.ssh/id_rsa and ../../etc/passwd", "File [path] and [path]"],
    [String.raw`File C:\Users\miner\x.py`, "File [path]"],
    ["POST /api/submit-order failed", "POST [path] failed"],
    ["two\r\nlines\tand \u001b[31mcolour\u202e", "two lines and [31mcolour"],
    ["\ud800broken", "\ufffdbroken"],
  ])("%j becomes %j", (text, cleaned) => {
    expect(cleaner.cleanUpstreamText(text)).toBe(cleaned);
  });

  test("a text of an upstream has at most 300 characters", () => {
    expect(cleaner.cleanUpstreamText("x".repeat(300))).toHaveLength(300);
    expect(cleaner.cleanUpstreamText("x".repeat(301))).toBe(`${"x".repeat(299)}…`);
    expect(cleaner.cleanOwnText("x".repeat(5_000_000))).toHaveLength(300);
    expect(cleaner.cleanUpstreamText("😀".repeat(400)).isWellFormed()).toBe(true);
  });

  test("a text of an upstream never shows the key or the host, wherever they are", () => {
    const part = fc.oneof(
      fc.constantFrom(KEY, "validator.example", "VALIDATOR.EXAMPLE:48888", " ", "/", ":", "."),
      fc.string({ maxLength: 400 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        for (const cleaned of [cleaner.cleanUpstreamText(text), cleaner.cleanOwnText(text)]) {
          expect(cleaned).not.toContain(KEY);
          expect(cleaned.toLowerCase()).not.toContain("validator.example");
          expect(cleaned).not.toMatch(/\p{Cc}/u);
          expect(cleaned.length).toBeLessThanOrEqual(300);
        }
      }),
      propertySettings(500),
    );
  });

  test.each(["1.".repeat(50_000), "a.".repeat(50_000), "::".repeat(50_000), "/a".repeat(50_000)])(
    "a text of many repetitions is cleaned in time in proportion to its length (%#)",
    (text) => {
      expect(cleaner.cleanUpstreamText(text).length).toBeLessThanOrEqual(300);
    },
  );
});

describe("a text of this service", () => {
  test("a text of this service keeps the place that it names", () => {
    expect(
      cleaner.cleanOwnText("duplicate key at character 17 ('dashboard.positions.ab.fo')"),
    ).toBe("duplicate key at character 17 ('dashboard.positions.ab.fo')");
    expect(cleaner.cleanOwnText(`duplicate key ('${KEY}.validator.example')`)).toBe(
      "duplicate key ('[key].[host]')",
    );
  });
});
