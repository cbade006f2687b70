import type { LeftOut } from "./commit-port.ts";

export function leftOutFrom(
  accounts: Iterable<string>,
  leftOut: LeftOut,
): ReadonlyMap<string, LeftOut> {
  return new Map([...accounts].map((id) => [id, leftOut]));
}
