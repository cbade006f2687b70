import { describe, expect, test } from "vitest";
import { normalizePairName } from "./pair-name.ts";
import { parsePayoutsQuery } from "./payouts-query.ts";
import { parseQuery, queryFitsAccount, splitTarget } from "./query-string.ts";
import { parseQuotesQuery } from "./quotes-query.ts";

const LIMIT_REFUSED = { ok: false, error: "invalidLimit" };
const CURSOR_REFUSED = { ok: false, error: "invalidCursor" };

describe("the query of payouts [S4.1.limit]", () => {
  test.each([
    ["", { ok: true, limit: 50, cursor: null }],
    ["limit=1", { ok: true, limit: 1, cursor: null }],
    ["limit=200", { ok: true, limit: 200, cursor: null }],
    ["limit=201", { ok: true, limit: 200, cursor: null }],
    [`limit=${"9".repeat(400)}`, { ok: true, limit: 200, cursor: null }],
    ["limit=007", { ok: true, limit: 7, cursor: null }],
    ["limit=2&cursor=abc%3D", { ok: true, limit: 2, cursor: "abc=" }],
    ["other=1&cursor=x", { ok: true, limit: 50, cursor: "x" }],
    ["limit=0", LIMIT_REFUSED],
    ["limit=000", LIMIT_REFUSED],
    ["limit=-1", LIMIT_REFUSED],
    ["limit=%2B5", LIMIT_REFUSED],
    ["limit=1.0", LIMIT_REFUSED],
    ["limit=1e2", LIMIT_REFUSED],
    ["limit=0x10", LIMIT_REFUSED],
    ["limit=%205", LIMIT_REFUSED],
    ["limit=5%0A", LIMIT_REFUSED],
    ["limit=", LIMIT_REFUSED],
    ["limit", LIMIT_REFUSED],
    ["limit=ten", LIMIT_REFUSED],
    ["limit=%D9%A5", LIMIT_REFUSED], // an Arabic five
    ["limit=1&limit=2", LIMIT_REFUSED],
    ["limit=%zz", LIMIT_REFUSED],
    ["cursor=", CURSOR_REFUSED],
    ["cursor=a&cursor=b", CURSOR_REFUSED],
    ["limit=0&cursor=", LIMIT_REFUSED], // the first problem
  ])("the query ?%s is read or rejected as a whole", (query, answer) => {
    expect(parsePayoutsQuery(parseQuery(query))).toEqual(answer);
  });
});

describe("a raw request target", () => {
  test.each([
    ["/a", { path: "/a", query: "" }],
    ["/a?", { path: "/a", query: "" }],
    ["/a?b=1?c", { path: "/a", query: "b=1?c" }],
  ])("%s is split at its first question mark", (target, parts) => {
    expect(splitTarget(target)).toEqual(parts);
  });

  test("escapes are decoded once, a plus is a space, and a malformed escape stays as sent", () => {
    expect([...parseQuery("a=%2541&b=x+y&c=%zz&&d&a=2&%61=3")]).toEqual([
      ["a", ["%41", "2", "3"]],
      ["b", ["x y"]],
      ["c", ["%zz"]],
      ["d", [""]],
    ]);
  });
});

describe("accountId in a query must be the key's account [D2.10]", () => {
  const bound = "5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11";
  test.each([
    ["", true],
    [`accountId=${bound}`, true],
    [`accountId=${bound.toUpperCase()}`, true],
    [`accountId=${bound}&accountId=${bound}`, true],
    ["AccountId=other", true], // another parameter, ignored
    ["accountId=", false],
    ["accountId", false],
    ["accountId=x", false],
    [`accountId=${bound}%20`, false],
    [`accountId=${bound}&accountId=x`, false],
    [`accountId=x&%61ccountId=${bound}`, false],
    ["accountId=0b7c9a52-6d1e-4f0a-8c3d-5e9f1a2b4c6d", false],
  ])("?%s fits: %s", (query, fits) => {
    expect(queryFitsAccount(parseQuery(query), bound)).toBe(fits);
  });
});

describe("pair names [D1.pairs]", () => {
  test.each([
    ["BTCUSD", "BTCUSD"],
    ["btcusd", "BTCUSD"],
    ["BTC/USD", "BTCUSD"],
    ["btc/Usd", "BTCUSD"],
    ["aapl", "AAPL"],
    ["BRK.B", "BRK.B"],
    ["", null],
    ["/", null],
    ["BTC/", null],
    ["/USD", null],
    ["BTC//USD", null],
    ["BTC USD", null],
    ["BTCUSD\n", null],
    ["БТЦ", null],
    ["ß", null],
    ["X".repeat(33), null],
  ])("the pair name %j has the canonical form %j", (text, pair) => {
    expect(normalizePairName(text)).toBe(pair);
  });
});

const PAIRS_REFUSED = {
  ok: false,
  message: "'pairs' must be pair identifiers with commas between them",
};

describe("the query of quotes [D9.quotes]", () => {
  test.each([
    ["", { ok: true, pairs: null }],
    ["pairs=btc/usd,ETHUSD", { ok: true, pairs: ["BTCUSD", "ETHUSD"] }],
    ["pairs=BTCUSD,BTCUSD&pairs=EURUSD", { ok: true, pairs: ["BTCUSD", "EURUSD"] }],
    ["pairs=", PAIRS_REFUSED],
    ["pairs=BTCUSD,", PAIRS_REFUSED],
    ["pairs=a%00b", PAIRS_REFUSED],
  ])("the query ?%s of quotes is read or rejected", (query, expected) => {
    expect(parseQuotesQuery(parseQuery(query))).toEqual(expected);
  });
});
