/** The version of this package. A journal names it with each decision, which only this version can repeat. */
export const CORE_VERSION = "0.1.0";
