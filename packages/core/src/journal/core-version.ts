/** The version of this package. A decision can be repeated by the version that made it. */
export const CORE_VERSION = "0.1.0";
