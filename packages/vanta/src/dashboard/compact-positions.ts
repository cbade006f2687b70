import { addUsd, type MicroUsd } from "@propgate/core";
import type { Literal, LiteralRecord } from "../python-literal.ts";
import { readByUuid, readOrders } from "./compact-orders.ts";
import { FEE_KEYS, POSITION_KEYS } from "./dashboard-keys.ts";
import {
  FEE_KINDS,
  type FeeKind,
  type LinkedFee,
  type LinkedOrder,
  type LinkedPosition,
} from "./linked-readings.ts";
import { type DecodeProblem, noteProblem, readRecord } from "./network-units.ts";
import { readSection } from "./section.ts";

/** Reads open and closed positions by uuid; null when they were not sent. */
export function readPositions(
  value: Literal | undefined,
  path: string,
  problem: DecodeProblem,
): readonly LinkedPosition[] | null {
  return readByUuid(value, { path, problem }, (uuid, item, place) =>
    readPosition(uuid, item, place, problem),
  );
}

function readPosition(
  uuid: string,
  item: LiteralRecord,
  path: string,
  problem: DecodeProblem,
): LinkedPosition | null {
  const { type, pairDisplay, openMs, ...fields } = readSection(item, POSITION_KEYS, path, problem);
  const fills = readOrders(item.fo, "fill", `${path}.fo`, problem);
  const legs = readOrders(item.uo, "leg", `${path}.uo`, problem) ?? [];
  const { fees, feeHistory } = readFees(item.fh, `${path}.fh`, problem);
  const direction = directionOf(type, fills);
  if (direction === null) {
    noteProblem(
      problem,
      `${path}.fo`,
      fills === null ? "sent" : "fills that begin with LONG or SHORT",
    );
  }
  if (type === "FLAT" && fields.closeMs === null) noteProblem(problem, `${path}.c`, "sent");
  // A problem is already reported for each of these values that is missing.
  if (direction === null || pairDisplay === null || openMs === null) return null;
  return { uuid, pairDisplay, direction, openMs, ...fields, fills, legs, fees, feeHistory };
}

/**
 * The direction of a position. A closed position has the type FLAT, so its first fill gives the direction; null without
 * such a fill.
 */
function directionOf(
  type: LinkedOrder["type"],
  fills: readonly LinkedOrder[] | null,
): LinkedPosition["direction"] | null {
  if (type === "LONG" || type === "SHORT") return type;
  const first = fills?.[0]?.type ?? null;
  return first === "FLAT" ? null : first;
}

function readFees(
  value: Literal | undefined,
  path: string,
  problem: DecodeProblem,
): Pick<LinkedPosition, "fees" | "feeHistory"> {
  const history = readRecord(value, path, problem);
  if (history === null) return { fees: null, feeHistory: null };
  const read: ReadFee[] = [];
  for (const [time, fee] of Object.entries(history)) {
    const place = `${path}.${time}`;
    const record = readRecord(fee, place, problem);
    const amount = record === null ? null : readSection(record, FEE_KEYS, place, problem).amount;
    if (amount !== null) read.push({ atMs: timeOf(time), kind: kindOf(record?.t), amount });
  }
  const fees = exactSum(read.map(({ amount }) => amount));
  if (fees === null) noteProblem(problem, path, "a sum that can be counted");
  const feeHistory = read.filter(isTimed).toSorted((one, other) => one.atMs - other.atMs);
  return { fees, feeHistory: feeHistory.length === read.length ? feeHistory : null };
}

interface ReadFee extends Omit<LinkedFee, "atMs"> {
  readonly atMs: number | null;
}

function isTimed(fee: ReadFee): fee is LinkedFee {
  return fee.atMs !== null;
}

/**
 * The time of a fee in milliseconds, which is its key in the fee history; null for a key that does not have 13 digits.
 */
function timeOf(key: string): number | null {
  return /^\d{13}$/.test(key) ? Number(key) : null;
}

function kindOf(value: Literal | undefined): FeeKind | null {
  return FEE_KINDS.find((kind) => kind === value) ?? null;
}

function exactSum(amounts: readonly MicroUsd[]): MicroUsd | null {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return Number.isSafeInteger(sum) ? addUsd(...amounts) : null;
}
