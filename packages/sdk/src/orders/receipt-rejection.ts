import { errorNameOf, type Receipt } from "@propgate/contract";
import type { Rejection } from "../errors.ts";

/** What the lost answer said, as far as the receipt has it; null when there has been none. */
export function rejectionOfReceipt({ status, error }: Receipt): Rejection | null {
  if (status === null || error === null) return null;
  const code = errorNameOf(status, error) ?? "unlisted";
  return { status, code, error, requiredScope: null, retryAfterMs: null, headers: {} };
}
