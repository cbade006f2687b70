/**
 * The version of this package. A journal stores it with each decision, because only the version that made a decision
 * can repeat it.
 */
export const CORE_VERSION = "0.1.0";
