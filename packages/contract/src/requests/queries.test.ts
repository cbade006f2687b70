import { describe, expect, test } from "vitest";
import { parseCandlesQuery } from "./candles-query.ts";
import { parseEventsQuery } from "./events-query.ts";
import { parseHistoryQuery } from "./history-query.ts";
import { matchesPairName, normalizePairName } from "./pair-name.ts";
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
    ["limit=%D9%A5", LIMIT_REFUSED], // an Arabic digit five
    ["limit=1&limit=2", LIMIT_REFUSED],
    ["limit=%zz", LIMIT_REFUSED],
    ["cursor=", CURSOR_REFUSED],
    ["cursor=a&cursor=b", CURSOR_REFUSED],
    ["limit=0&cursor=", LIMIT_REFUSED], // the first problem is reported
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
  ])("the query ?%s fits the key's account: %s", (query, fits) => {
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
    expect(matchesPairName(name, { tradePair, tradePairDisplay })).toBe(is);
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
const AFTER_REFUSED = wrongCandles("'after' must be a time in Unix milliseconds");
const wrongTime = (name: string, text: string, unit: string) =>
  wrongCandles(
    `'${name}' must be a time in Unix milliseconds between 2000 and 2100; ${text} looks like ${unit}`,
  );
const noTime = (name: string, text: string) =>
  wrongCandles(`'${name}' must be a time in Unix milliseconds between 2000 and 2100, not ${text}`);
const CANDLES_LIMIT_REFUSED = wrongCandles("'limit' must be an integer between 1 and 1000");
const SOUND = { ok: true, pair: "BTCUSD", interval: "1m", afterMs: null, limit: 200 };

describe("the query of candles [D9.candles]", () => {
  test.each([
    ["tradePair=BTCUSD&interval=1m", SOUND],
    ["tradePair=btc/usd&interval=1d&limit=1", { ...SOUND, interval: "1d", limit: 1 }],
    ["tradePair=BTCUSD&interval=1m&limit=1000", { ...SOUND, limit: 1000 }],
    ["tradePair=BTCUSD&interval=1m&after=0", { ...SOUND, afterMs: 0 }],
    ["tradePair=BTCUSD&interval=1m&after=4102444800000", { ...SOUND, afterMs: 4_102_444_800_000 }],
    ["tradePair=BTCUSD&interval=1m&after=1767614400", wrongTime("after", "1767614400", "seconds")],
    [
      "tradePair=BTCUSD&interval=1m&after=1767614400000000",
      wrongTime("after", "1767614400000000", "microseconds"),
    ],
    ["tradePair=BTCUSD&interval=1m&after=1", noTime("after", "1")],
    ["", PAIR_REFUSED],
    ["interval=1m", PAIR_REFUSED],
    ["tradePair=&interval=1m", PAIR_REFUSED],
    ["tradePair=BTCUSD,ETHUSD&interval=1m", PAIR_REFUSED],
    ["tradePair=BTCUSD&tradePair=ETHUSD&interval=1m", PAIR_REFUSED],
    ["tradePair=BTCUSD", INTERVAL_REFUSED],
    ["tradePair=BTCUSD&interval=2m", INTERVAL_REFUSED],
    ["tradePair=BTCUSD&interval=1M", INTERVAL_REFUSED], // elsewhere `M` means a month
    ["tradePair=BTCUSD&interval=1m&interval=1m", INTERVAL_REFUSED],
    ["tradePair=BTCUSD&interval=toString", INTERVAL_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=-1", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=now", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=1.5", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=1e12", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=8640000000000001", noTime("after", "8640000000000001")],
    [`tradePair=BTCUSD&interval=1m&after=${"9".repeat(400)}`, AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&after=0&after=1", AFTER_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=0", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=1001", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=1000000000", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=1.5", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=-1", CANDLES_LIMIT_REFUSED],
    ["tradePair=BTCUSD&interval=1m&limit=", CANDLES_LIMIT_REFUSED],
    ["interval=2m&after=x&limit=0", PAIR_REFUSED], // the first problem is reported
  ])(
    "the query ?%s of candles is read, or rejected with the parameter's name",
    (query, expected) => {
      expect(parseCandlesQuery(parseQuery(query))).toEqual(expected);
    },
  );
});

const wrongEvents = (message: string) => ({ ok: false, message });
const CURSOR = "418-9f2c41ab07d35e6c88b1d20f6a4e91c3";
const AFTER_CURSOR_REFUSED = wrongEvents(
  "'after' must be a cursor: the `next` of a page, the `cursor` of an event, or a sequence",
);
const EVENTS_LIMIT_REFUSED = wrongEvents("'limit' must be an integer between 1 and 500");
const WAIT_REFUSED = wrongEvents("'wait' must be whole seconds from 0 to 25");
const PROOF_REFUSED = wrongEvents("'proof' must be 0 or 1");
const TYPES_REFUSED = wrongEvents("'types' must be types of events with commas between them");
const FROM_START = {
  ok: true,
  after: { sequence: 0, hash: null },
  limit: 100,
  types: null,
  waitMs: 0,
  hasProof: false,
};

describe("the query of events [D9.events]", () => {
  test.each([
    ["", FROM_START],
    ["after=0", FROM_START],
    ["after=418", { ...FROM_START, after: { sequence: 418, hash: null } }],
    [
      `after=${CURSOR}&limit=500&wait=25&proof=1`,
      {
        ...FROM_START,
        after: { sequence: 418, hash: "9f2c41ab07d35e6c88b1d20f6a4e91c3" },
        limit: 500,
        waitMs: 25_000,
        hasProof: true,
      },
    ],
    [
      "types=order.filled,order.cancelled&proof=0",
      { ...FROM_START, types: new Set(["order.filled", "order.cancelled"]) },
    ],
    ["after=", AFTER_CURSOR_REFUSED],
    ["after=-1", AFTER_CURSOR_REFUSED],
    ["after=007", AFTER_CURSOR_REFUSED],
    ["after=4e2", AFTER_CURSOR_REFUSED],
    [`after=${"9".repeat(16)}`, AFTER_CURSOR_REFUSED],
    [`after=${CURSOR.slice(0, -1)}`, AFTER_CURSOR_REFUSED], // a cursor without its last character
    [`after=${CURSOR}0`, AFTER_CURSOR_REFUSED],
    [`after=${CURSOR.toUpperCase()}`, AFTER_CURSOR_REFUSED],
    [`after=${CURSOR}&after=${CURSOR}`, AFTER_CURSOR_REFUSED],
    ["limit=0", EVENTS_LIMIT_REFUSED],
    ["limit=501", EVENTS_LIMIT_REFUSED],
    ["limit=1.5", EVENTS_LIMIT_REFUSED],
    ["limit=", EVENTS_LIMIT_REFUSED],
    ["wait=26", WAIT_REFUSED],
    ["wait=-1", WAIT_REFUSED],
    ["wait=0.5", WAIT_REFUSED],
    ["wait=", WAIT_REFUSED],
    ["proof=2", PROOF_REFUSED],
    ["proof=true", PROOF_REFUSED],
    ["types=", TYPES_REFUSED],
    ["types=order.filled,", TYPES_REFUSED],
    ["types=order.filled&types=order.filled", TYPES_REFUSED],
    [
      "types=order.fooled",
      wrongEvents("'types' names \"order.fooled\", which is not a type of event"),
    ],
    ["types=toString", wrongEvents("'types' names \"toString\", which is not a type of event")],
    [
      "types=order.filled&proof=1",
      wrongEvents("'proof' must be 0 with 'types': without every line there is no proof"),
    ],
    ["after=x&limit=0&wait=26", AFTER_CURSOR_REFUSED], // the first problem is reported
  ])(
    "the query ?%s of events is read, or rejected with the parameter's name [D9.cursor] [D9.wait] [D9.proof]",
    (query, expected) => {
      expect(parseEventsQuery(parseQuery(query))).toEqual(expected);
    },
  );
});

const NEWEST = { ok: true, after: null, limit: 100, pair: null, sinceMs: null };
const SINCE_REFUSED = wrongEvents("'since' must be a time in Unix milliseconds");

describe("the query of order history and fills [D9.orderHistory] [D9.fills]", () => {
  test.each([
    ["", NEWEST],
    ["after=0&limit=500", { ...NEWEST, after: { sequence: 0, hash: null }, limit: 500 }],
    [
      "tradePair=btc/usd&since=946684800000",
      { ...NEWEST, pair: "BTCUSD", sinceMs: 946_684_800_000 },
    ],
    ["since=0", { ...NEWEST, sinceMs: 0 }],
    ["since=1", noTime("since", "1")],
    ["since=946684799999", noTime("since", "946684799999")],
    ["since=1767614400", wrongTime("since", "1767614400", "seconds")],
    ["since=1767614400000000", wrongTime("since", "1767614400000000", "microseconds")],
    ["since=1767614400000000000", wrongTime("since", "1767614400000000000", "nanoseconds")],
    ["after=x", AFTER_CURSOR_REFUSED],
    ["after=1&after=2", AFTER_CURSOR_REFUSED],
    ["limit=501", EVENTS_LIMIT_REFUSED],
    ["tradePair=", wrongEvents("'tradePair' must be one pair identifier")],
    ["tradePair=BTCUSD,ETHUSD", wrongEvents("'tradePair' must be one pair identifier")],
    ["since=", SINCE_REFUSED],
    ["since=-1", SINCE_REFUSED],
    ["since=now", SINCE_REFUSED],
    ["since=8640000000000001", noTime("since", "8640000000000001")],
  ])("the query ?%s is read, or rejected with the parameter's name", (query, expected) => {
    expect(parseHistoryQuery(parseQuery(query))).toEqual(expected);
  });
});
