import type { LinkedReadings } from "./linked-readings.ts";

/** The display forms of the pairs in which the account has positions or orders, each once and sorted. */
export function openPairs({
  positions,
  orders,
}: Pick<LinkedReadings, "positions" | "orders">): readonly string[] {
  const open = [...Object.values(positions), ...Object.values(orders)];
  return [...new Set(open.flatMap(({ pairDisplay }) => pairDisplay ?? []))].toSorted();
}
