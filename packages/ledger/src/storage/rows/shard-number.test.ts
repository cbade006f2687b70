import { accountId } from "@propgate/core";
import { assert, integer, property, string, uuid } from "fast-check";
import { describe, expect, test } from "vitest";
import { isKeyId } from "../../../../access/src/storage/api-key.ts";
import { accountIdOnShard, keyIdOnShard, shardNumberOf, shardNumberOfKey } from "./shard-number.ts";

const NUMBERS = { min: 0, max: 4095 };
const KEY_NUMBERS = { min: 0, max: 3843 };
const UUID = "0d5c2a34-59b8-4a3e-9d4f-0123456789ab";
const RANDOM = "AbCdEfGhIjKlMnOpQr09";

describe("the number of a database in ids", () => {
  test("an account's id gives back every number, and stays a valid uuid", () => {
    assert(
      property(uuid({ version: 4 }), integer(NUMBERS), (random, number) => {
        const id = accountIdOnShard(number, random);
        expect(shardNumberOf(id)).toBe(number);
        expect(shardNumberOf(accountId(id.toUpperCase()))).toBe(number);
        expect(id).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  test("a key's id gives back every number, and is one", () => {
    assert(
      property(integer(KEY_NUMBERS), (number) => {
        const id = keyIdOnShard(number, RANDOM);
        expect(shardNumberOfKey(id)).toBe(number);
        expect(isKeyId(id)).toBe(true);
        // The id consists of word characters, so a double click selects all of it.
        expect(id).toMatch(/^\w+$/);
      }),
    );
  });

  test("the ids of the first database are those of before", () => {
    expect(accountIdOnShard(0, UUID)).toBe(UUID);
    expect(keyIdOnShard(0, RANDOM)).toBe(`pk_${RANDOM}`);
    expect(accountIdOnShard(1, UUID)).toBe("0d5c2a34-59b8-8001-9d4f-0123456789ab");
    expect(keyIdOnShard(1, RANDOM)).toBe(`pk_${RANDOM}01`);
    expect(keyIdOnShard(63, RANDOM)).toBe(`pk_${RANDOM}11`);
  });

  test("two numbers never share an id", () => {
    const numbers = Array.from({ length: NUMBERS.max + 1 }, (_, number) => number);
    expect(new Set(numbers.map((number) => accountIdOnShard(number, UUID))).size).toBe(
      numbers.length,
    );
    const ofKeys = numbers.slice(0, KEY_NUMBERS.max + 1);
    expect(new Set(ofKeys.map((number) => keyIdOnShard(number, RANDOM))).size).toBe(ofKeys.length);
  });

  test("any other text is of the first database", () => {
    assert(
      property(string(), (text) => {
        expect(shardNumberOf(accountId(text))).toBe(0);
        expect(shardNumberOfKey(text)).toBe(0);
      }),
    );
  });

  test.each([
    "",
    "0d5c2a34-59b8-1001-9d4f-0123456789ab",
    "0d5c2a34-59b8-7001-9d4f-0123456789ab",
    "0d5c2a34-59b8-8g01-9d4f-0123456789ab",
    "0d5c2a3459b8-8001-9d4f-0123456789ab",
    "x0d5c2a34-59b8-8001-9d4f-0123456789ab",
    "0d5c2a34-59b8-8001-9d4f-0123456789ab\n0d5c2a34-59b8-8002",
    "'; drop table a;-8001-",
  ])("the account id %j is of the first database", (text) => {
    expect(shardNumberOf(accountId(text))).toBe(0);
  });

  test.each([
    `pk_${RANDOM}A`,
    `pk_${RANDOM}ABC`,
    `pk_${RANDOM}A=`,
    `pk_${RANDOM}A_`,
    `pk_${RANDOM.slice(1)}-AB`,
    `pk_${RANDOM}A\u0000`,
    `PK_${RANDOM}AB`,
    ` pk_${RANDOM}AB`,
    `pk_${RANDOM}AB\n`,
  ])("the key id %j is of the first database", (text) => {
    expect(shardNumberOfKey(text)).toBe(0);
    expect(isKeyId(text)).toBe(false);
  });
});
