import { LIMITS } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

/** Rejects the read of a receipt beyond the 60 that a key has in a clock minute. @rule D10.receiptBudget */
export const checkReceiptBudget: Check<{ readonly admission: Admission }> = ({ admission }) =>
  admission.receiptRank !== null && admission.receiptRank > LIMITS.receiptBudgetPerWindow
    ? { error: "tooManyReceipts", retryAtMs: admission.windowEndsAtMs }
    : null;
