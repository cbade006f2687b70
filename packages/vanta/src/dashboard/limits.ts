import type { Literal, LiteralRecord } from "../python-literal.ts";
import { LIMITS_KEYS } from "./dashboard-keys.ts";
import type { LinkedLimits } from "./linked-readings.ts";
import { type DecodeProblem, type NetworkUnits, readRecord, readUnit } from "./network-units.ts";
import { readPayload } from "./payload.ts";
import { readSection } from "./section.ts";

export type DecodedLimits =
  | { readonly ok: true; readonly limits: LinkedLimits }
  | { readonly ok: false; readonly why: string };

/** Decodes the answer of the limits call. When it is wrong, `why` names the first key that is wrong. */
export function decodeLimits(body: Literal): DecodedLimits {
  const problem: DecodeProblem = { why: null };
  const record = readPayload(body, problem);
  if (record === null) return { ok: false, why: problem.why ?? "the answer is null" };
  const limits: LinkedLimits = {
    ...readSection(record, LIMITS_KEYS, "limits", problem),
    maxPerClass: readMap(record, "max_asset_class_usd", "dollars", problem),
    pairCaps: readMap(record, "positional_leverage", "number", problem),
  };
  return problem.why === null ? { ok: true, limits } : { ok: false, why: problem.why };
}

function readMap<Unit extends "dollars" | "number">(
  record: LiteralRecord,
  key: string,
  unit: Unit,
  problem: DecodeProblem,
): Readonly<Record<string, NetworkUnits[Unit]>> {
  const entries: [string, NetworkUnits[Unit]][] = [];
  for (const [name, value] of Object.entries(readRecord(record[key], key, problem) ?? {})) {
    const read = readUnit(unit, value, `${key}.${name}`, problem);
    if (read !== null) entries.push([name, read]);
  }
  return Object.fromEntries(entries);
}
