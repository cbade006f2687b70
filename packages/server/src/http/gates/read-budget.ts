import { READS_PER_MINUTE } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

/** The key has reads left in this clock minute. @rule S8 D2.9 */
export const readBudget: Check<{ readonly admission: Admission }> = ({ admission }) =>
  admission.readRank !== null && admission.readRank > READS_PER_MINUTE
    ? { error: "rate_limited", retryAtMs: admission.windowEndsAtMs }
    : null;
