import type { MicroUsd } from "@propgate/core";
import type { Literal } from "../python-literal.ts";
import { PAYOUT_KEYS, SETTLEMENT_KEYS } from "./dashboard-keys.ts";
import { type DecodeProblem, noteProblem, readList, readRecord } from "./network-units.ts";
import { readPayload } from "./payload.ts";
import { readSection } from "./section.ts";

/** A week of the payout call, or a part of one. `payout` is before the trader's split. */
export interface Settlement {
  readonly startMs: number;
  readonly endMs: number;
  readonly payout: MicroUsd;
}

/** The decoded answer of the payout call. */
export interface Settlements {
  /** Oldest first; the last can be the week in progress. */
  readonly weeks: readonly Settlement[];
  /** The amount that is withheld from weeks with a soft breach; null when it was not sent. */
  readonly deferredBalance: MicroUsd | null;
}

export type DecodedSettlements =
  | { readonly ok: true; readonly settlements: Settlements }
  | { readonly ok: false; readonly why: string };

/**
 * Decodes the answer of the payout call. It fails for a value of a wrong form and for an answer about another
 * subaccount.
 */
export function decodeSettlements(
  body: Literal,
  expected: { readonly hotkey: string },
): DecodedSettlements {
  const problem: DecodeProblem = { why: null };
  const data = readPayload(body, problem);
  if (data === null) return { ok: false, why: problem.why ?? "the answer is null" };
  const { deferredBalance, hotkey } = readSection(data, PAYOUT_KEYS, "payout", problem);
  if (hotkey !== null && hotkey !== expected.hotkey) {
    noteProblem(problem, "payout.hotkey", "the subaccount that was asked for");
  }
  const path = "payout.weekly_settlements";
  const weeks: Settlement[] = [];
  for (const [index, item] of (readList(data.weekly_settlements, path, problem) ?? []).entries()) {
    const week = readSettlement(item, `${path}.${index}`, problem);
    if (week !== null) weeks.push(week);
  }
  if (problem.why !== null) return { ok: false, why: problem.why };
  return {
    ok: true,
    settlements: { deferredBalance, weeks: weeks.toSorted((a, b) => a.startMs - b.startMs) },
  };
}

function readSettlement(item: Literal, path: string, problem: DecodeProblem): Settlement | null {
  const record = readRecord(item, path, problem);
  if (record === null) return noteProblem(problem, path, "a week");
  const { startMs, endMs, payout } = readSection(record, SETTLEMENT_KEYS, path, problem);
  // `readSection` has reported the wrong value.
  if (startMs === null || endMs === null || payout === null) return null;
  if (endMs <= startMs) return noteProblem(problem, path, "a week that ends after its start");
  return { startMs, endMs, payout };
}
