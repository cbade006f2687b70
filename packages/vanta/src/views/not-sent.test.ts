import { describe, expect, test } from "vitest";
import type { Literal } from "../python-literal.ts";
import {
  answeredFigures,
  RECORDED_NAMES,
  type RecordedSubaccount,
  readRecordedSubaccount,
} from "../testing/recorded-subaccount.ts";

type Figures = ReadonlyMap<string, unknown>;
type Path = readonly string[];

/**
 * Keys whose absence does not mean "unknown". Each row has the figures that may change when the key is absent, their
 * value in that case, and the reason.
 */
const MEANINGS: readonly {
  readonly key: RegExp;
  readonly figures: RegExp;
  readonly value: unknown;
  readonly reason: string;
}[] = [
  {
    key: /^dashboard\.positions(\.positions)?$/,
    figures:
      /openPositions|sumPositionValue|currentLeverage|totalTrades|totalWins|winRate|avgTradePnL/,
    value: 0,
    reason: "a full read without the section: there are no positions",
  },
  {
    key: /^dashboard\.positions(\.positions)?$/,
    figures: /account\.leverage$/,
    value: expect.stringContaining("Current - 0.0000x"),
    reason: "the same in words",
  },
  {
    key: /\.uo$|\.open_orders$|^dashboard\.(limit_orders|positions(\.positions)?)$/,
    figures: /^orders\./,
    value: expect.anything(),
    reason: "there are no legs or orders, and the others move up",
  },
  {
    key: /\.sl$|\.tk$/,
    figures: /stopLoss$|takeProfit$/,
    value: expect.any(Number),
    reason: "that leg has no stop or target: another leg is the nearest",
  },
  {
    key: /^dashboard\.elimination(\.reason)?$/,
    figures: /elimination\.forInactivity$/,
    value: false,
    reason: "no reason was recorded",
  },
  {
    key: /^dashboard\.pro_stats(\.trading_days)?$/,
    figures: /proTrack\.(hasStats|evaluated)$/,
    value: false,
    reason: "the contract's words for statistics that were not sent",
  },
  {
    key: /^dashboard\.challenge_period$/,
    figures: /accrualStatus$/,
    value: "unavailable",
    reason: "it is not known whether the account earns",
  },
  {
    key: /\.fh$/,
    figures: /totalFees$|totalWins$|avgTradePnL$|winRate$/,
    value: expect.any(Number),
    reason: "the network leaves an empty fee history out where fills are free",
  },
];

/** Fields that the contract requires. Without a value they have a placeholder, and the answer is stale. */
const PLACEHOLDERS =
  /accountSize|formattedAccountSize|evaluation\.(title|status)$|totalWins$|challenge\.(variant|bucket|drawdownCriteria)$|drawdownRules\.(criteria|maxLoss\.rule)$|meta\.stale$|\.limits\.1\.|isPro$|proTrack$/;

/** Matches the keys of maps. They are ids, times or dates, and not the names of fields. */
const ITEM = /^[0-9a-f]{8}-|^\d{6,}$|^\d{4}-\d{2}-\d{2}$/;

/** The key as the reasons name it: without `dashboard.`, and with `payout.` in place of `data.`. */
function keyInReason(key: string): string {
  return key.replace(/^dashboard\./, "").replace(/^data\./, "payout.");
}

function keyPaths(value: Literal | undefined, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, Literal]) => [
    ...(ITEM.test(key) || Array.isArray(value) ? [] : [[...path, key]]),
    ...keyPaths(item, [...path, key]),
  ]);
}

function without(value: Literal, [key, ...rest]: Path): Literal {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly Literal[] = value;
    return items.map((item, index) => (String(index) === key ? without(item, rest) : item));
  }
  const entries = Object.entries(value).filter(([name]) => name !== key || rest.length > 0);
  return Object.fromEntries(
    entries.map(([name, item]: [string, Literal]) => [
      name,
      name === key ? without(item, rest) : item,
    ]),
  );
}

/** Changed figures that are neither unknown, nor placeholders, nor explained by a row of `MEANINGS`. */
function unexplainedChanges(key: string, before: Figures, after: Figures): readonly string[] {
  const isStale = after.get("account.meta.stale") === true;
  return [...after]
    .filter(([path, value]) => !Object.is(before.get(path), value))
    .filter(([path, value]) => !(isUnknown(value) || (isStale && PLACEHOLDERS.test(path))))
    .filter(([path, value]) => !isMeant(key, path, value))
    .map(([path, value]) => `${key}: ${path} became ${JSON.stringify(value)}`);
}

function isUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (typeof value === "string" && value.includes("--"));
}

function isMeant(key: string, path: string, value: unknown): boolean {
  return MEANINGS.some((meaning) => {
    if (!meaning.key.test(key) || !meaning.figures.test(path)) return false;
    const { value: meant } = meaning;
    return Object.is(meant, value) || (isMatcher(meant) && meant.asymmetricMatch(value));
  });
}

function isMatcher(value: unknown): value is { asymmetricMatch(other: unknown): boolean } {
  return typeof value === "object" && value !== null && "asymmetricMatch" in value;
}

describe("a key that a validator did not send", () => {
  test.each(RECORDED_NAMES)(
    "an unsent key of %s makes no figure 0 or another number, and its answers null or stale",
    (name) => {
      const one = readRecordedSubaccount(name);
      const before = answered(one);
      const found: string[] = [];
      let removed = 0;
      for (const part of ["dashboard", "limits", "payout"] as const) {
        for (const path of keyPaths(one[part])) {
          removed += 1;
          const key = path.join(".");
          const cut = { ...one, [part]: without(one[part], path) } as RecordedSubaccount;
          const after = answeredFigures(cut);
          if ("refused" in after) expect(after.refused).toBe(`${keyInReason(key)} is not sent`);
          else found.push(...unexplainedChanges(key, before, after));
        }
      }
      expect(found).toEqual([]);
      expect(removed).toBeGreaterThan(40);
    },
  );

  test.each(RECORDED_NAMES)("an unsent key of %s reads like one that is null", (name) => {
    const one = readRecordedSubaccount(name);
    for (const path of keyPaths(one.dashboard)) {
      const missing = answeredFigures({
        ...one,
        dashboard: dashboardOf(without(one.dashboard, path)),
      });
      const nulled = answeredFigures({
        ...one,
        dashboard: dashboardOf(nulledAt(one.dashboard, path)),
      });
      expect([path.join("."), nulled]).toEqual([path.join("."), missing]);
    }
  });
});

function nulledAt(value: Literal, [key, ...rest]: Path): Literal {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, Literal]) => [
      name,
      name !== key ? item : rest.length === 0 ? null : nulledAt(item, rest),
    ]),
  );
}

function dashboardOf(value: Literal): RecordedSubaccount["dashboard"] {
  return value as RecordedSubaccount["dashboard"];
}

function answered(one: RecordedSubaccount): Figures {
  const figures = answeredFigures(one);
  if ("refused" in figures) throw new Error(figures.refused);
  return figures;
}
