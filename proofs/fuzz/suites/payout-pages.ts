import assert from "node:assert/strict";
import { ERRORS } from "@propgate/contract";
import fc from "fast-check";
import { openEarningTrader } from "../../../packages/server/src/testing/earning-trader.ts";
import type { Signer } from "../../../packages/server/src/testing/signed-request.ts";
import { arbitraryCharacter } from "../../../test/environment/arbitrary-character.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import type { FuzzedService } from "../fuzzed-service.ts";
import { errorTextOf } from "../output-checker.ts";

const PAYOUTS = "/api/v1/trading/payouts";
const WEEKS = 3;
/** Fewer reads than the budget of a key allows in a minute. */
const READS_PER_KEY = 100;

/**
 * Two accounts with payouts of several weeks: one cursor of each, and a function that reads payouts of the first
 * account.
 */
interface Earners {
  readonly cursor: string;
  /** A cursor of the second account. */
  readonly foreign: string;
  read(query: string): Promise<{ readonly status: number; readonly body: string }>;
}

async function openEarners({ service }: FuzzedService): Promise<Earners> {
  const traders = [
    await openEarningTrader(service, WEEKS),
    await openEarningTrader(service, WEEKS),
  ];
  const [own, other] = traders;
  if (own === undefined || other === undefined) throw new Error("broken invariant: two traders");
  const cursorOf = async (signer: Signer): Promise<string> => {
    const { text } = await service.get("payouts?limit=1", { signer });
    const cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1];
    assert.ok(cursor !== undefined, text);
    return cursor;
  };
  let reads = 0;
  let signer = own.signer;
  const [cursor, foreign] = [await cursorOf(own.signer), await cursorOf(other.signer)];
  return {
    cursor,
    foreign,
    async read(query) {
      if (reads % READS_PER_KEY === 0) signer = await service.newKey({ accountId: own.accountId });
      reads += 1;
      const { status, text } = await service.call(`${PAYOUTS}?${query}`, { signer });
      return { status, body: text };
    },
  };
}

type Edit = (cursor: string) => string;

const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(7)).map(([at, bit]) => (cursor: string) => {
    const bytes = Buffer.from(cursor, "base64url");
    bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
    return bytes.toString("base64url");
  }),
  fc.nat().map((end) => (cursor: string) => cursor.slice(0, end % cursor.length)),
  fc.nat().map((start) => (cursor: string) => cursor.slice(1 + (start % cursor.length))),
  fc.string({ minLength: 1, maxLength: 20 }).map((more) => (cursor: string) => cursor + more),
  fc.constantFrom<Edit>(
    (cursor) => cursor.toUpperCase(),
    (cursor) => `${cursor}=`,
    (cursor) => cursor + cursor,
    (cursor) => Buffer.from(cursor, "base64url").toString("base64"),
    (cursor) => cursor.split("").toReversed().join(""),
  ),
  fc.string({ unit: arbitraryCharacter, maxLength: 60 }).map((text) => () => text),
  fc.nat(3).map((bits) => (cursor: string) => `${cursor.slice(0, -1)}${"AQgw"[bits] ?? "A"}`),
);

/** Only a cursor that the service made for this account is accepted. @rule S4.1.cursor D4.cursors */
export async function payoutCursorsSuite(world: FuzzedService): Promise<FuzzSuite> {
  const earners = await openEarners(world);
  const inputs = fc.tuple(fc.constantFrom<"cursor" | "foreign">("cursor", "foreign"), edits);
  return createFuzzSuite({
    name: "payouts cursors",
    defaultRuns: 300,
    inputs: fc.oneof(inputs, fc.constant(["foreign", (cursor: string) => cursor] as const)),
    async try([which, edit]) {
      const cursor = edit(earners[which]);
      const wellFormed = cursor.isWellFormed() ? cursor : cursor.toWellFormed();
      const answer = await earners.read(`cursor=${encodeURIComponent(wellFormed)}`);
      world.checker.endpoint("getPayouts", answer);
      if (wellFormed === earners.cursor) {
        assert.equal(answer.status, 200, answer.body);
      } else {
        assert.equal(answer.status, 400, answer.body);
        assert.equal(errorTextOf(answer), ERRORS.invalidCursor.text);
      }
      const good = await earners.read(`cursor=${earners.cursor}`);
      assert.equal(good.status, 200, good.body);
    },
  });
}

const name = fc.oneof(
  fc.constantFrom("limit", "cursor", "accountId", "LIMIT", "limit[]", "li%6dit", "", "x"),
  fc.string({ unit: "grapheme-ascii", maxLength: 6 }).map(encodeURIComponent),
);
const value = fc.oneof(
  fc.integer({ min: -5, max: 300 }).map(String),
  fc.constantFrom("", "0", "00", "1e2", "0x1", "+5", "%2B5", " 5", "5.0", "٥", "9".repeat(200)),
  fc.constantFrom("NaN", "null", "%00", "%zz", "%", "%ff", "[]", "true", "-0"),
  fc.uuid(),
  fc.string({ unit: "grapheme-ascii", maxLength: 12 }).map(encodeURIComponent),
);
const queries = fc
  .array(
    fc.tuple(name, fc.option(value)).map(([key, one]) => (one === null ? key : `${key}=${one}`)),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.join("&").replaceAll(/[^\x21-\x7e]/g, (text) => encodeURIComponent(text)));

/** Any query gets a known status, and a `limit` that is not a positive integer is refused. @rule S4.1.limit D2.query */
export async function payoutQueriesSuite(world: FuzzedService): Promise<FuzzSuite> {
  const earners = await openEarners(world);
  return createFuzzSuite({
    name: "payouts query strings",
    defaultRuns: 300,
    inputs: queries,
    async try(query) {
      const answer = await earners.read(query);
      world.checker.endpoint("getPayouts", answer);
      if (answer.status !== 200) return;
      const limits = new URLSearchParams(query).getAll("limit");
      assert.ok(limits.length <= 1, query);
      for (const limit of limits) assert.match(limit, /^\d*[1-9]\d*$/);
    },
  });
}
