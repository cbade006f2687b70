import { describe, expect, test } from "vitest";
import type { Literal, LiteralRecord } from "../python-literal.ts";
import {
  MADE_INFO_SECTION,
  MADE_SUBACCOUNT,
  madeDashboardAnswer,
  madeDashboardPart,
  madeOrder,
  madePosition,
} from "../testing/made-dashboard.ts";
import {
  answeredFigures,
  hotkeyOf,
  RECORDED_NAMES,
  readRecordedSubaccount,
} from "../testing/recorded-subaccount.ts";
import * as keys from "./dashboard-keys.ts";
import { decodeDashboard } from "./decode-dashboard.ts";

const MS = 1_794_900_000_000;

function whyRefused(
  answer: Literal,
  expected = MADE_SUBACCOUNT as { hotkey: string; subaccountId: number },
) {
  const decoded = decodeDashboard(answer, expected);
  return decoded.ok ? "read" : decoded.why;
}

/** The keys that have a meaning in at least one table. */
const KNOWN = new Set(
  Object.values(keys).flatMap((table) =>
    Object.entries(table)
      .filter(([, { unit }]) => unit !== "unused")
      .map(([key]) => key),
  ),
);

/** Paths at which a key has no meaning, although the same key has one at other paths. */
const UNUSED_THERE = /\.fh\.\d+\.t$|\.checkpoints\.\d+\.s$|is_pro$/;

type Path = readonly string[];

function knownPaths(value: Literal | undefined, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, item]: [string, Literal]) => [
    ...(KNOWN.has(key) ? [[...path, key]] : []),
    ...knownPaths(item, [...path, key]),
  ]);
}

function replaced(value: Literal, [key, ...rest]: Path, by: Literal): Literal {
  if (key === undefined) return by;
  const entries = Object.entries(value as LiteralRecord);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, name === key ? replaced(item, rest, by) : item]),
  );
}

describe("an answer with a key of a wrong form", () => {
  test.each(RECORDED_NAMES)(
    "a wrong key of %s is refused, and the reason names the key",
    (name) => {
      const { dashboard, number } = readRecordedSubaccount(name);
      const expected = { hotkey: hotkeyOf(number), subaccountId: number };
      const paths = knownPaths(dashboard.dashboard).filter(
        (path) => !UNUSED_THERE.test(path.join(".")),
      );
      expect(paths.length).toBeGreaterThan(25);
      for (const path of paths) {
        // No key of the tables may have a list of a list.
        const wrong = replaced(dashboard, ["dashboard", ...path], [[1]]);
        expect(whyRefused(wrong, expected)).toContain(`${path.join(".")} is not `);
      }
    },
  );

  const position = (changes: Readonly<Record<string, Literal>>): Literal =>
    madeDashboardAnswer({ positions: { positions: { p1: madePosition(MS, changes) } } });
  const order = (changes: Readonly<Record<string, Literal>>): Literal =>
    madeDashboardAnswer({ limit_orders: { open_orders: { o1: madeOrder(MS, changes) } } });
  const info = (changes: Readonly<Record<string, Literal>>): Literal =>
    madeDashboardAnswer({ subaccount_info: { ...MADE_INFO_SECTION, ...changes } });

  test.each<[string, Literal, string]>([
    [
      "a time in seconds",
      position({ o: 1_794_900_000 }),
      "positions.positions.p1.o is not a time in milliseconds",
    ],
    [
      "a time after 2100",
      position({ o: 9e12 }),
      "positions.positions.p1.o is not a time in milliseconds",
    ],
    [
      "a time as a text",
      position({ o: "1794900000000" }),
      "positions.positions.p1.o is not a time in milliseconds",
    ],
    ["a negative price", position({ ap: -1 }), "positions.positions.p1.ap is not a price"],
    [
      "a number as a text",
      position({ up: "10" }),
      "positions.positions.p1.up is not an amount in dollars",
    ],
    ["true for a number", position({ r: true }), "positions.positions.p1.r is not a ratio"],
    [
      "an amount that cannot be counted",
      position({ up: 1e300 }),
      "positions.positions.p1.up is not an amount in dollars",
    ],
    ["a position without its time", position({ o: null }), "positions.positions.p1.o is not sent"],
    [
      "a closed position without its end",
      position({ t: "FLAT" }),
      "positions.positions.p1.c is not sent",
    ],
    [
      "an unknown direction",
      position({ t: "UP" }),
      "positions.positions.p1.t is not one of LONG, SHORT, FLAT",
    ],
    ["fees that are a list", position({ fh: [] }), "positions.positions.p1.fh is not an object"],
    [
      "a fee without its amount",
      position({ fh: { 1: { t: "carry" } } }),
      "positions.positions.p1.fh.1.a is not sent",
    ],
    [
      "a pending order that is FLAT",
      order({ t: "FLAT" }),
      "limit_orders.open_orders.o1 is not a pending order that can be read",
    ],
    [
      "a pending MARKET",
      order({ e: "MARKET" }),
      "limit_orders.open_orders.o1 is not a pending order that can be read",
    ],
    [
      "a pending order without its pair",
      order({ tp: null }),
      "limit_orders.open_orders.o1.tp is not sent",
    ],
    [
      "an id that cannot be one",
      madeDashboardAnswer({ positions: { positions: { "../x": madePosition(MS) } } }),
      "positions.positions.../x is not an id",
    ],
    [
      "a position that is null",
      madeDashboardAnswer({ positions: { positions: { p1: null } } }),
      "positions.positions.p1 is not an object",
    ],
    [
      "closed orders that are no ids",
      madeDashboardAnswer({ limit_orders: { closed_orders: [1] } }),
      "limit_orders.closed_orders is not a list of ids",
    ],
    [
      "a day that is no date",
      madeDashboardAnswer({ statistics: { daily_returns: { "2026-13-45": 1 } } }),
      "statistics.daily_returns.2026-13-45 is not a date",
    ],
    [
      "a checkpoint at no time",
      madeDashboardAnswer({ ledger: { checkpoints: { soon: {} } } }),
      "ledger.checkpoints.soon is not a time in milliseconds",
    ],
    [
      "two criteria",
      madeDashboardAnswer({ drawdown: { criteria: "static", drawdown_criteria: "trailing" } }),
      "drawdown.criteria is not equal to its other name",
    ],
    ["a size of 0", info({ account_size: 0 }), "subaccount_info.account_size is not sent"],
    [
      "a size below 0",
      madeDashboardAnswer({ account_size_data: { account_size: -1 } }),
      "account_size_data.account_size is not an amount in dollars above zero",
    ],
    [
      "an unknown asset class",
      info({ asset_class: "tulips" }),
      "subaccount_info.asset_class is not one of",
    ],
    [
      "another hotkey",
      info({ synthetic_hotkey: "5Other_0" }),
      "subaccount_info.synthetic_hotkey is not the subaccount that was asked for",
    ],
    [
      "another number",
      info({ subaccount_id: 1 }),
      "subaccount_info.subaccount_id is not the subaccount that was asked for",
    ],
    ["no info", { status: "success", dashboard: {} }, "subaccount_info is not sent"],
    ["no dashboard", { status: "success" }, "dashboard is not sent"],
    [
      "a failure with status 200",
      { status: "error", dashboard: { subaccount_info: MADE_INFO_SECTION } },
      "status is not success",
    ],
    ["a list", [], "the answer is not an object"],
    ["null", null, "dashboard is not sent"],
  ])("an answer such as %s is refused", (_, answer, why) => {
    expect(whyRefused(answer)).toContain(why);
  });

  test("a refusal of a wrong key has a short reason, although the network can send keys of any length", () => {
    const answer = madeDashboardAnswer({ positions: { positions: { ["x".repeat(100_000)]: 1 } } });
    expect(whyRefused(answer).length).toBeLessThan(300);
  });
});

describe("an answer of a newer validator", () => {
  test.each(RECORDED_NAMES)("an answer about %s may have unknown keys everywhere", (name) => {
    const one = readRecordedSubaccount(name);
    const extended = extendedBy(one.dashboard, { newKey: [{ any: "thing" }] }) as LiteralRecord;
    expect(answeredFigures({ ...one, dashboard: extended })).toEqual(answeredFigures(one));
  });

  test("an answer of a newer validator may have words that are unknown: a bucket and a status become `unknown`", () => {
    const part = madeDashboardPart({
      subaccount_info: { ...MADE_INFO_SECTION, status: "admin" },
      challenge_period: { bucket: "MAINCOMP" },
    });
    expect([part.info.status, part.challenge?.bucket]).toEqual(["unknown", "unknown"]);
  });
});

/** Adds keys to each object that is not a map by id, time or date. */
function extendedBy(value: Literal, more: LiteralRecord): Literal {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, item]: [string, Literal]) => [
    key,
    extendedBy(item, more),
  ]);
  const isMap = Object.keys(value).some((key) =>
    /^[0-9a-f]{8}-|^\d{6,}$|^\d{4}-\d{2}-\d{2}$/.test(key),
  );
  const isOpenMap = Object.keys(value).length === 0;
  return { ...Object.fromEntries(entries), ...(isMap || isOpenMap ? {} : more) } as Literal;
}

describe("the dashboard's units", () => {
  test("ratios of the size, percents, fractions and dollars stay apart", () => {
    const { drawdown, ledger } = madeDashboardPart({
      drawdown: {
        current_equity: 1.032,
        intraday_drawdown_pct: 1.24,
        intraday_drawdown_threshold: 0.05,
        eod_drawdown_threshold: 0.07,
      },
      account_size_data: { balance: 98_339.3684339573, equity: -0.0000005 },
    });
    expect(drawdown).toMatchObject({
      equity: 1.032,
      dailyLossPct: 1.24,
      dailyLossLimitPct: 5,
      // 0.07 × 100 is 7.000000000000001 in binary. The decoder removes this error.
      endOfDayLossLimitPct: 7,
      dayStartEquity: null,
    });
    expect(ledger).toMatchObject({ balance: 98_339_368_434, equity: -1, buyingPower: null });
  });

  test("0 is no time and no price, but an amount and a count", () => {
    const part = madeDashboardPart({
      drawdown: { last_eod_checked_ms: 0 },
      pro_stats: { trading_days: 0 },
      positions: {
        positions: { p1: madePosition(MS, { ap: 0, up: 0, c: 0 }) },
        positions_time_ms: 0,
      },
    });
    expect(part.drawdown?.lastEndOfDayMs).toBeNull();
    expect(part.pro?.tradingDays).toBe(0);
    expect(part.positions?.cursorMs).toBeNull();
    expect(part.positions?.items[0]).toMatchObject({
      averageEntryPrice: null,
      unrealizedPnl: 0,
      closeMs: null,
    });
  });

  test("both names of the criteria and three of the minimum days are read", () => {
    expect(madeDashboardPart({ drawdown: { criteria: "static" } }).drawdown?.criteria).toBe(
      "static",
    );
    expect(
      madeDashboardPart({ drawdown: { drawdown_criteria: "TRAILING" } }).drawdown?.criteria,
    ).toBe("trailing");
    for (const key of ["trading_days_threshold", "minimum_trading_days", "min_trading_days"]) {
      expect(madeDashboardPart({ pro_stats: { [key]: 90 } }).pro?.daysThreshold).toBe(90);
    }
  });

  test("a checkpoint's amounts that are absent are 0, as the network leaves zeros out there", () => {
    const part = madeDashboardPart({ ledger: { checkpoints: { "1794830400000": { m: 1 } } } });
    expect(part.checkpoints?.items).toEqual([
      { atMs: 1_794_830_400_000, realizedPnl: 0, unrealizedPnl: 0 },
    ]);
  });

  test("an older validator does not send the number of a subaccount", () => {
    const { subaccount_id: _, ...info } = MADE_INFO_SECTION;
    expect(madeDashboardPart({ subaccount_info: info }).info.subaccountId).toBe(0);
  });

  test("ids such as __proto__ are refused, and constructor is an ordinary id", () => {
    const positions = Object.fromEntries([["constructor", madePosition(MS)]]);
    expect(madeDashboardPart({ positions: { positions } }).positions?.items[0]?.uuid).toBe(
      "constructor",
    );
    const odd = Object.fromEntries([["__proto__", madePosition(MS)]]);
    expect(whyRefused(madeDashboardAnswer({ positions: { positions: odd } }))).toContain(
      "is not an id",
    );
  });
});
