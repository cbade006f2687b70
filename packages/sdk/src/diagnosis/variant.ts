import { sameBytes } from "../byte-text.ts";
import type { Finding } from "./sent.ts";

/** The right value, or a wrong value that a client may have used instead. */
export interface Variant<Value> {
  readonly value: Value;
  /** The mistake; null for the right value. */
  readonly finding: Finding | null;
}

/** The right value first, then the mistakes. A value that repeats an earlier one is left out. */
export function distinctVariants<Value>(
  right: Value,
  mistakes: readonly Variant<Value>[],
): readonly Variant<Value>[] {
  const kept: Variant<Value>[] = [{ value: right, finding: null }];
  for (const mistake of mistakes) {
    if (!kept.some((other) => sameValue(other.value, mistake.value))) kept.push(mistake);
  }
  return kept;
}

function sameValue(left: unknown, right: unknown): boolean {
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return sameBytes(left, right);
  }
  return left === right;
}
