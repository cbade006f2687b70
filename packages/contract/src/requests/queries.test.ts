import { describe, expect, test } from "vitest";
import { parseCandlesQuery } from "./candles-query.ts";
import { isNamed, normalizePairName } from "./pair-name.ts";
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

describe("a request's name and an item's pair [D1.pairs] [D6.aliases]", () => {
  test.each([
    ["btc/usd", "BTCUSD", "BTC/USD", true],
    ["KPEPEUSDC", "kPEPEUSDC", "kPEPE/USDC", true],
    ["brk.b", "BRK_B", "BRK.B", true],
    ["BTCUSD", "BTCUSDC", "BTC/USDC", false],
    ["/", "BTCUSD", "BTC/USD", false],
  ])("%s names %s: %s, %s", (name, tradePair, tradePairDisplay, is) => {
    expect(isNamed(name, { tradePair, tradePairDisplay })).toBe(is);
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

const wrongCandles = (message: string) => ({ ok: false, message });
const PAIR_REFUSED = wrongCandles("'tradePair' must be one pair identifier");
const INTERVAL_REFUSED = wrongCandles("'interval' must be one of 1m, 5m, 15m, 1h, 1d");
const AFTER_REFUSED = wrongCandles("'after' must be the startMs of a candle, in Unix milliseconds");
const CANDLES_LIMIT_REFUSED = wrongCandles("'limit' must be an integer between 1 and 1000");
const SOUND = { ok: true, pair: "BTCUSD", interval: "1m", afterMs: null, limit: 200 };

describe("the query of candles [D9.candles]", () => {
  test.each([
    ["tradePair=BTCUSD&interval=1m", SOUND],
    ["tradePair=btc/usd&interval=1d&limit=1", { ...SOUND, interval: "1d", limit: 1 }],
    ["tradePair=BTCUSD&interval=1m&limit=1000", { ...SOUND, limit: 1000 }],
    ["tradePair=BTCUSD&interval=1m&after=0", { ...SOUND, afterMs: 0 }],
    [
      "tradePair=BTCUSD&interval=1m&after=8640000000000000",
      { ...SOUND, afterMs: 8_640_000_000_000_000 },
    ],
    ["", PAIR_REFUSED],
    ["interval=1m", PAIR_REFUSED],
    ["tradePair=&interval=1m", PAIR_REFUSED],
    ["tradePair=BTCUSD,ETHUSD&interval=1m", PAIR_REFUSED],
    ["tradePair=BTCUSD&tradePair=ETHUSD&interval=1m", PAIR_REFUSED],
    ["tradePair=BTCUSD", INTERVAL_REFUSED],
    ["tradePair=BTCUSD&interval=2m", INTERVAL_REFUSED],
    ["tradePair=BTCUSD&interval=1M", INTERVAL_REFUSED], // a month elsewhere
    ["tradePair=BTCUSD&interval=1m&interval=1m", INTERVAL_REFUSED],
    ["tradePair=BTCUSD&interval=toString", INTERVAL_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=-1", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=now", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=1.5", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=1e12", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=8640000000000001", AFTER_REFUSED],
    [`tradePair=BTCUSD&interval=1m&after=${"9".repeat(400)}`, AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=0&after=1", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=0", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=1001", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=1000000000", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=1.5", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=-1", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=", CANDLES_LIMIT_REFUSED],
    ["interval=2m&after=x&limit=0", PAIR_REFUSED], // the first problem
  ])(
    "the query ?%s of candles is read, or rejected with the parameter's name",
    (query, expected) => {
      expect(parseCandlesQuery(parseQuery(query))).toEqual(expected);
    },
  );
});
