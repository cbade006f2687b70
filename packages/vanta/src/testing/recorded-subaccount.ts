import { readdirSync, readFileSync } from "node:fs";
import { type AccountId, accountId, unixMs } from "@propgate/core";
import { wireJson } from "../../../base/src/wire-json.ts";
import type { LinkedRecord } from "../../../ledger/src/storage/rows/linked-account.ts";
import { decodeDashboard } from "../dashboard/decode-dashboard.ts";
import { decodeLimits } from "../dashboard/limits.ts";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import { mergeDashboard, NO_CURSORS } from "../dashboard/merge-dashboard.ts";
import { decodePairs, type LinkedPairs } from "../dashboard/pairs.ts";
import { decodeSettlements, type Settlements } from "../dashboard/settlements.ts";
import { type Literal, type LiteralRecord, readLiteral } from "../python-literal.ts";
import { linkedAccountView } from "../views/account.ts";
import { linkedPayoutsView } from "../views/payouts.ts";
import { linkedPendingOrdersView } from "../views/pending-orders.ts";
import { linkedPositionsView } from "../views/positions.ts";
import { linkedTradesView } from "../views/trades.ts";

const FOLDER = new URL(".", import.meta.url);
const CHARACTERS_MAX = 1_000_000;

/** 2026-11-18 10:00 UTC, a Wednesday. */
export const RECORDED_AT_MS = unixMs(1_794_996_000_000);
export const RECORDED_ACCOUNT: AccountId = accountId("1a3c5e7f-9b2d-4e6f-8a0c-2d4f6b8e0a1c");
const ENTITY = "5GhDr3xyEntityHotkeyOfTheTestsAAAAAAAAAAAAAAAAAA";

/** The answers of a validator about one subaccount. */
export interface RecordedSubaccount {
  readonly number: number;
  readonly dashboard: LiteralRecord;
  readonly limits: Literal;
  /** The answer of the call `payout`; null when it was a 404. */
  readonly payout: Literal;
}

export const RECORDED_NAMES: readonly string[] = readdirSync(new URL("recorded/", FOLDER))
  .map((file) => file.replace(".json", ""))
  .toSorted();

export function readRecordedSubaccount(name: string): RecordedSubaccount {
  const { subaccount, dashboard, limits, payout } = readObject(`recorded/${name}.json`);
  if (typeof subaccount !== "number" || !isObject(dashboard))
    throw new Error(`${name}: not recorded`);
  return { number: subaccount, dashboard, limits: limits ?? null, payout: payout ?? null };
}

export function readRecordedPairs(): LinkedPairs {
  const decoded = decodePairs(readObject("trade-pairs.json"));
  if (!decoded.ok) throw new Error(decoded.why);
  return decoded.pairs;
}

export function hotkeyOf(number: number): string {
  return `${ENTITY}_${number}`;
}

/** Reads a table of figures, whose lines are `path = value  # arithmetic`. */
export function readExpectedFigures(name: string): ReadonlyMap<string, unknown> {
  const text = readFileSync(new URL(`figures/${name}.txt`, FOLDER), "utf8");
  const rows = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    rows.map((row) => {
      const [, path = "", value = ""] = /^(\S+) = (.*?)(?: {2}# .*)?$/.exec(row) ?? [];
      return [path, JSON.parse(value)];
    }),
  );
}

/**
 * Every figure that a client reads about a recorded subaccount, by its path; or why one of the recorded answers was
 * refused.
 */
export function answeredFigures(
  one: RecordedSubaccount,
): ReadonlyMap<string, unknown> | { readonly refused: string } {
  const decoded = decodeDashboard(one.dashboard, {
    hotkey: hotkeyOf(one.number),
    subaccountId: one.number,
  });
  if (!decoded.ok) return { refused: decoded.why };
  const merged = mergeDashboard(null, decoded.part, {
    requested: NO_CURSORS,
    readAtMs: RECORDED_AT_MS,
  });
  const limits = one.limits === null ? null : decodeLimits(one.limits);
  if (limits?.ok === false) return { refused: limits.why };
  const settlements = settlementsOf(one);
  if (settlements !== "none" && "refused" in settlements) return settlements;
  // Readings are stored as JSON between a poll and an answer.
  const stored = JSON.parse(JSON.stringify(merged.readings)) as LinkedReadings;
  const readings = { ...stored, limits: limits?.limits ?? null };
  return leavesByPath(JSON.parse(wireJson(answers(readings, merged.records, settlements))));
}

function settlementsOf({
  payout,
  number,
}: RecordedSubaccount): Settlements | "none" | { readonly refused: string } {
  if (payout === null) return "none";
  const decoded = decodeSettlements(payout, { hotkey: hotkeyOf(number) });
  return decoded.ok ? decoded.settlements : { refused: decoded.why };
}

function answers(
  readings: LinkedReadings,
  records: readonly LinkedRecord[],
  settlements: Settlements | "none",
): Readonly<Record<string, unknown>> {
  const pairs = readRecordedPairs();
  const ofKind = (kind: LinkedRecord["kind"]): readonly LinkedRecord[] =>
    records.filter((record) => record.kind === kind);
  return {
    account: linkedAccountView({
      accountId: RECORDED_ACCOUNT,
      readings,
      pairs,
      closedPositions: ofKind("closedPosition"),
      dailyReturns: ofKind("dailyReturn"),
      ownerAccounts: { active: 1, max: 5 },
      generatedAtMs: RECORDED_AT_MS,
      stale: false,
    }),
    positions: linkedPositionsView({ readings, isStale: false }, pairs),
    orders: linkedPendingOrdersView(readings, pairs),
    trades: linkedTradesView(ofKind("closedPosition"), pairs),
    payouts: linkedPayoutsView({
      accountId: RECORDED_ACCOUNT,
      readings,
      settlements,
      records: [],
      profitSplit: 0.8,
      page: { limit: 50, after: null },
      asOfMs: RECORDED_AT_MS,
    }),
  };
}

/** The leaves of a value by their paths; an empty list or object is a leaf. */
function leavesByPath(value: unknown, path = ""): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    return new Map([[path, value]]);
  }
  return new Map(
    Object.entries(value).flatMap(([key, item]) => [
      ...leavesByPath(item, path === "" ? key : `${path}.${key}`),
    ]),
  );
}

function readObject(file: string): LiteralRecord {
  const text = readFileSync(new URL(file, FOLDER), "utf8");
  const read = readLiteral(text, { dialect: "json", charactersMax: CHARACTERS_MAX });
  if (!read.ok) throw new Error(`${file}: ${read.problem}`);
  if (!isObject(read.value)) throw new Error(`${file}: not an object`);
  return read.value;
}

function isObject(value: Literal | undefined): value is LiteralRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
