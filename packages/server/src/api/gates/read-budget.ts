import { LIMITS } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

/**
 * Rejects a read beyond the 120 that a key has in a clock minute. The database counts them for all nodes, so the
 * request knows its rank. @rule D2.9 @rule S8.read decides
 */
export const checkReadBudget: Check<{ readonly admission: Admission }> = ({ admission }) =>
  admission.readRank !== null && admission.readRank > LIMITS.readBudgetPerWindow
    ? { error: "rateLimited", retryAtMs: admission.windowEndsAtMs }
    : null;
