export { canonicalString } from "./canonical.ts";
export * from "./clock.ts";
export * from "./errors.ts";
export * from "./random.ts";
export * from "./sign.ts";
