import type { Literal, LiteralRecord } from "../python-literal.ts";
import { ORDER_KEYS, TRAILING_KEYS } from "./dashboard-keys.ts";
import type { LinkedExecutionType, LinkedOrder } from "./linked-readings.ts";
import { type DecodeProblem, noteProblem, readRecord } from "./network-units.ts";
import { readSection } from "./section.ts";

/**
 * An id that can name a field of a stored object and be a part of a request: at most 128 letters, digits, `-` and `_`,
 * beginning with a letter or digit.
 */
const UUID = /^[0-9A-Za-z][0-9A-Za-z_-]{0,127}$/;

/**
 * Where the dashboard lists an order. `fill`: a filled order of a position. `pending`: in the list of pending orders.
 * `leg`: a leg of a position. `futureLeg`: a leg of a pending order, which attaches it when it fills.
 */
type OrderKind = "fill" | "pending" | "leg" | "futureLeg";

/** The keys without which an order of each kind cannot be read. */
const NEEDED: Readonly<Record<OrderKind, readonly (keyof typeof ORDER_KEYS)[]>> = {
  fill: ["t", "p"],
  pending: ["t", "p", "e", "tp"],
  leg: ["p"],
  futureLeg: [],
};

/**
 * Reads the items of a map by uuid, in the map's own order; null when the map was not sent. A key that is not an id is
 * reported. An item that is not an object is reported and left out.
 */
export function readByUuid<Item>(
  value: Literal | undefined,
  at: { readonly path: string; readonly problem: DecodeProblem },
  readItem: (uuid: string, item: LiteralRecord, path: string) => Item | null,
): readonly Item[] | null {
  const map = readRecord(value, at.path, at.problem);
  if (map === null) return null;
  const items: Item[] = [];
  for (const [uuid, value] of Object.entries(map)) {
    const path = `${at.path}.${uuid}`;
    if (!UUID.test(uuid)) noteProblem(at.problem, path, "an id");
    const record =
      readRecord(value, path, at.problem) ?? noteProblem(at.problem, path, "an object");
    const item = record === null ? null : readItem(uuid, record, path);
    if (item !== null) items.push(item);
  }
  return items;
}

/** Reads a list of ids; empty when it was not sent. A value that is not an id is reported. */
export function readUuids(
  list: readonly Literal[] | null,
  path: string,
  problem: DecodeProblem,
): readonly string[] {
  const uuids: string[] = [];
  for (const uuid of list ?? []) {
    if (typeof uuid === "string" && UUID.test(uuid)) uuids.push(uuid);
    else noteProblem(problem, path, "a list of ids");
  }
  return uuids;
}

/** Reads orders by uuid and sorts them by time; null when they were not sent. */
export function readOrders(
  value: Literal | undefined,
  kind: OrderKind,
  path: string,
  problem: DecodeProblem,
): readonly LinkedOrder[] | null {
  const orders = readByUuid(value, { path, problem }, (uuid, item, place) =>
    readOrder({ uuid, item, kind, path: place }, problem),
  );
  return (
    orders?.toSorted((one, other) => (one.processedMs ?? 0) - (other.processedMs ?? 0)) ?? null
  );
}

function readOrder(
  {
    uuid,
    item,
    kind,
    path,
  }: {
    readonly uuid: string;
    readonly item: LiteralRecord;
    readonly kind: OrderKind;
    readonly path: string;
  },
  problem: DecodeProblem,
): LinkedOrder {
  const fields = readSection(item, ORDER_KEYS, path, problem);
  const isLeg = kind === "leg" || kind === "futureLeg";
  const order: LinkedOrder = {
    uuid,
    ...fields,
    executionType: fields.executionType ?? (isLeg ? "BRACKET" : null),
    ...readTrailing(item.tsl, `${path}.tsl`, problem),
    // A leg has no legs of its own, so the recursion ends here.
    legs: isLeg ? [] : (readOrders(item.uo, "futureLeg", `${path}.uo`, problem) ?? []),
  };
  for (const key of NEEDED[kind]) {
    if ((item[key] ?? null) === null) noteProblem(problem, `${path}.${key}`, "sent");
  }
  if (kind === "pending" && !canBePending(order)) {
    noteProblem(problem, path, "a pending order that can be read");
  }
  return order;
}

const PENDING: ReadonlySet<LinkedExecutionType> = new Set(["LIMIT", "STOP_LIMIT", "BRACKET"]);

function canBePending({ type, executionType }: LinkedOrder): boolean {
  return type !== "FLAT" && (executionType === null || PENDING.has(executionType));
}

function readTrailing(
  value: Literal | undefined,
  path: string,
  problem: DecodeProblem,
): Pick<LinkedOrder, "trailingPercent" | "trailingValue"> {
  const record = readRecord(value, path, problem);
  if (record === null) return { trailingPercent: null, trailingValue: null };
  return readSection(record, TRAILING_KEYS, path, problem);
}
