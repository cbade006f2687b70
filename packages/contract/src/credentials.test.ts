import { describe, expect, test } from "vitest";
import { authHeaderKeys, authHeaders, helpHeaders, isBrandWord } from "./brand.ts";
import { isNonce, isUuid, isWithinSkew, parseTimestamp } from "./credentials.ts";

describe("the syntax of a timestamp [D2.2]", () => {
  test.each([
    ["1700000000000", 1_700_000_000_000],
    ["170000000000", 170_000_000_000], // 12 digits are allowed
    ["1700000000000000", 1_700_000_000_000_000], // 16 digits are allowed
    ["0000000000001", 1],
    ["000000000000", null], // not positive
    ["1700000000", null], // a time in seconds has too few digits
    ["17000000000", null], // 11 digits are too few
    ["17000000000000000", null], // 17 digits are too many
    ["1700000000000.0", null],
    ["1700000000000.5", null],
    ["+1700000000000", null],
    ["-1700000000000", null],
    ["1.7e12", null],
    ["17000000000e2", null],
    ["0x18bcfe56800", null],
    [" 1700000000000", null],
    ["1700000000000\n", null],
    ["١٧٠٠٠٠٠٠٠٠٠٠٠", null], // digits that are not ASCII
    ["2023-11-14T22:13:20Z", null],
    ["NaN", null],
    ["Infinity", null],
    ["", null],
  ])("the timestamp %j has the value %s", (text, ms) => {
    expect(parseTimestamp(text)).toBe(ms);
  });
});

describe("the skew of a client's clock [S5.R1] [D2.3]", () => {
  const now = 1_700_000_000_000;
  test.each([
    [0, true],
    [300_000, true],
    [-300_000, true],
    [300_001, false],
    [-300_001, false],
  ])("a clock that is %d ms off is accepted: %s", (offMs, passes) => {
    expect(isWithinSkew(now + offMs, now)).toBe(passes);
  });
});

describe("the syntax of a nonce [D2.1]", () => {
  test.each([
    ["one character", "x", true],
    ["128 characters", "x".repeat(128), true],
    ["129 characters", "x".repeat(129), false],
    ["none", "", false],
    ["every printable character", "!~ az09\"'", true],
    ["a tab", "a\tb", false],
    ["a line feed", "a\nb", false],
    ["a line feed at the end", "ab\n", false],
    ["delete", "a\x7f", false],
    ["not ASCII", "é", false],
  ])("a nonce with %s is accepted or rejected", (_, nonce, passes) => {
    expect(isNonce(nonce)).toBe(passes);
  });
});

describe("the syntax of a uuid", () => {
  test.each([
    ["5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11", true],
    ["5D0C3E0E-8F3B-4C6D-9A57-2F1C7A0B9E11", true],
    ["5d0c3e0e8f3b4c6d9a572f1c7a0b9e11", false],
    ["5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11\n", false],
    ["a5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11", false],
    ["{5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11}", false],
    ["", false],
  ])("%j is a uuid: %s", (text, passes) => {
    expect(isUuid(text)).toBe(passes);
  });
});

describe("the header names contain the brand word [D1.brand]", () => {
  test("header names are written in their documented case and in lower case", () => {
    expect(authHeaders("Acme")).toEqual({
      keyId: "X-Acme-Key-Id",
      timestamp: "X-Acme-Timestamp",
      nonce: "X-Acme-Nonce",
      signature: "X-Acme-Signature",
    });
    expect(authHeaderKeys("Acme")).toEqual({
      keyId: "x-acme-key-id",
      timestamp: "x-acme-timestamp",
      nonce: "x-acme-nonce",
      signature: "x-acme-signature",
    });
    expect(helpHeaders("Acme").requestId).toBe("X-Acme-Request-Id");
  });

  test.each([
    ["Service", true],
    ["A1", true],
    ["Two-Words", true],
    ["", false],
    ["1A", false],
    ["a b", false],
    ["a\r\nb", false],
    ["Trailing-", false],
  ])("%j can be a brand word: %s", (word, can) => {
    expect(isBrandWord(word)).toBe(can);
  });
});
