import { addUsd, type MicroUsd } from "@propgate/core";
import type { Literal, LiteralRecord } from "../python-literal.ts";
import { readByUuid, readOrders } from "./compact-orders.ts";
import { FEE_KEYS, POSITION_KEYS } from "./dashboard-keys.ts";
import type { LinkedOrder, LinkedPosition } from "./linked-readings.ts";
import { type Problem, readRecord, report } from "./network-units.ts";
import { readSection } from "./section.ts";

/** Open and closed positions by uuid; null when they were not sent. */
export function readPositions(
  value: Literal | undefined,
  path: string,
  problem: Problem,
): readonly LinkedPosition[] | null {
  return readByUuid(value, { path, problem }, (uuid, item, place) =>
    readPosition(uuid, item, place, problem),
  );
}

function readPosition(
  uuid: string,
  item: LiteralRecord,
  path: string,
  problem: Problem,
): LinkedPosition | null {
  const { type, pairDisplay, openMs, ...fields } = readSection(item, POSITION_KEYS, path, problem);
  const fills = readOrders(item.fo, "fill", `${path}.fo`, problem);
  const legs = readOrders(item.uo, "leg", `${path}.uo`, problem) ?? [];
  const fees = readFees(item.fh, `${path}.fh`, problem);
  const direction = directionOf(type, fills);
  if (direction === null) {
    report(problem, `${path}.fo`, fills === null ? "sent" : "fills that begin with LONG or SHORT");
  }
  if (type === "FLAT" && fields.closeMs === null) report(problem, `${path}.c`, "sent");
  // Each of these has been reported.
  if (direction === null || pairDisplay === null || openMs === null) return null;
  return { uuid, pairDisplay, direction, openMs, ...fields, fills, legs, fees };
}

/** A closed position is FLAT: its direction is its first fill's. */
function directionOf(
  type: LinkedOrder["type"],
  fills: readonly LinkedOrder[] | null,
): LinkedPosition["direction"] | null {
  if (type === "LONG" || type === "SHORT") return type;
  const first = fills?.[0]?.type ?? null;
  return first === "FLAT" ? null : first;
}

function readFees(value: Literal | undefined, path: string, problem: Problem): MicroUsd | null {
  const history = readRecord(value, path, problem);
  if (history === null) return null;
  const amounts: MicroUsd[] = [];
  for (const [time, fee] of Object.entries(history)) {
    const place = `${path}.${time}`;
    const record = readRecord(fee, place, problem);
    const amount = record === null ? null : readSection(record, FEE_KEYS, place, problem).amount;
    if (amount !== null) amounts.push(amount);
  }
  return exactSum(amounts) ?? report(problem, path, "a sum that can be counted");
}

function exactSum(amounts: readonly MicroUsd[]): MicroUsd | null {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return Number.isSafeInteger(sum) ? addUsd(...amounts) : null;
}
