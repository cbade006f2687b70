import { errorNameOf, isRefusalCode, type Receipt } from "@propgate/contract";
import type { Rejection } from "../errors.ts";

/**
 * The rejection that the lost answer had, without its headers, which a receipt does not have. Null when the receipt has
 * no rejection.
 */
export function rejectionOfReceipt({ status, error, refusalCode }: Receipt): Rejection | null {
  if (status === null || error === null) return null;
  return {
    status,
    code: errorNameOf(status, error) ?? "unlisted",
    error,
    refusalCode: isRefusalCode(refusalCode) ? refusalCode : null,
    requiredScope: null,
    retryAfterMs: null,
    headers: {},
  };
}
