/** Whether a value from outside is a price. `1e400` is parsed as Infinity, which is not a price. */
export function isPrice(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
