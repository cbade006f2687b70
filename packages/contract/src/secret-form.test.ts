import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  makeSecret,
  OPERATOR_TOKEN_PREFIX,
  SECRET_PREFIX,
  secretChecksum,
  secretForm,
} from "./secret-form.ts";

const RANDOM = "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEF";
const SECRET = `propgate_sk_${RANDOM}2g2KuK`;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The six digits of zlib's own CRC-32. */
function expectedChecksum(text: string): string {
  const crc = crc32(text);
  return [5, 4, 3, 2, 1, 0].map((power) => DIGITS[Math.floor(crc / 62 ** power) % 62]).join("");
}

describe("the checksum of a secret [D10.secretForm]", () => {
  // Calculated with Python's zlib.crc32.
  test.each([
    [RANDOM, "2g2KuK"],
    ["A".repeat(43), "0DofJ8"],
    ["tFTo94HOsrFcnG2U9LkDFoWxFPnHTY6-8YstWjliAad", "0002yN"],
    ["123456789", "3jZRME"],
    ["", "000000"],
  ])("the checksum of %j is %s", (text, checksum) => {
    expect(secretChecksum(text)).toBe(checksum);
    expect(expectedChecksum(text)).toBe(checksum);
  });

  test("the checksum agrees with zlib for random secrets", () => {
    for (let count = 0; count < 500; count++) {
      const random = randomBytes(32).toString("base64url");
      expect(secretChecksum(random)).toBe(expectedChecksum(random));
    }
  });

  test("the checksum detects every single mistyped character and every pair of swapped neighbours", () => {
    const found: string[] = [];
    for (let at = SECRET_PREFIX.length; at < SECRET.length; at++) {
      for (const other of "0aZ_-") {
        const typed = SECRET.slice(0, at) + other + SECRET.slice(at + 1);
        if (typed !== SECRET) found.push(secretForm(typed));
      }
      const swapped = SECRET.slice(0, at) + SECRET[at + 1] + SECRET[at] + SECRET.slice(at + 2);
      if (at + 1 < SECRET.length && swapped !== SECRET) found.push(secretForm(swapped));
    }
    expect(found.length).toBeGreaterThan(250);
    expect(new Set(found)).toEqual(new Set(["wrong"]));
  });

  test("a secret with characters removed or appended is invalid", () => {
    for (let length = SECRET_PREFIX.length; length < SECRET.length; length++) {
      expect(secretForm(SECRET.slice(0, length))).toBe("wrong");
    }
    for (const around of [`${SECRET}\n`, ` ${SECRET}`, `"${SECRET}"`, SECRET + SECRET]) {
      expect(secretForm(around)).toBe("wrong");
    }
  });

  test.each([
    [SECRET, "right"],
    [SECRET.replace("propgate_sk_", "Propgate_sk_"), "wrong"],
    [SECRET.toUpperCase(), "wrong"],
    ["propgate_sk_é", "wrong"],
    ["sk_test_0123456789abcdef0123456789abcdef", "other"],
    ["", "other"],
    [`propgate_op_${RANDOM}2g2KuK`, "other"],
  ])("the form of %s is %s", (text, form) => {
    expect(secretForm(text)).toBe(form);
  });

  test("an operator's token has the same checksum and a prefix of its own", () => {
    const token = makeSecret(OPERATOR_TOKEN_PREFIX, RANDOM);
    expect(token).toBe(`propgate_op_${RANDOM}2g2KuK`);
    expect(secretForm(token, OPERATOR_TOKEN_PREFIX)).toBe("right");
    expect(secretForm(token.slice(0, -1), OPERATOR_TOKEN_PREFIX)).toBe("wrong");
  });

  test("makeSecret accepts only 43 URL-safe characters", () => {
    expect(makeSecret(SECRET_PREFIX, RANDOM)).toBe(SECRET);
    for (const random of [
      "",
      RANDOM.slice(1),
      `${RANDOM}A`,
      `${RANDOM.slice(1)}/`,
      `${RANDOM}\n`,
    ]) {
      expect(() => makeSecret(SECRET_PREFIX, random)).toThrow(RangeError);
    }
  });
});
