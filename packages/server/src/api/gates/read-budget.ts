import { LIMITS } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

/** The key has reads left in this clock minute. @rule S8.read D2.9 */
export const readBudget: Check<{ readonly admission: Admission }> = ({ admission }) =>
  admission.readRank !== null && admission.readRank > LIMITS.readBudgetPerWindow
    ? { error: "rateLimited", retryAtMs: admission.windowEndsAtMs }
    : null;
