import { LIMITS } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

/** The key has receipts left in this clock minute. @rule D10.receiptBudget */
export const receiptBudget: Check<{ readonly admission: Admission }> = ({ admission }) =>
  admission.receiptRank !== null && admission.receiptRank > LIMITS.receiptBudgetPerWindow
    ? { error: "tooManyReceipts", retryAtMs: admission.windowEndsAtMs }
    : null;
