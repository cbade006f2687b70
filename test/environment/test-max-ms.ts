import { CHECK_DEPTH, DEPTH } from "./depth.ts";

/**
 * The time after which the runner ends a test, a hook or a poll, and after which a page's wait ends. Tests have no
 * other timeout: a hang is rare, and a busy machine is a dozen times slower than an idle one. It grows with the depth,
 * as the work of tests does.
 */
export const TEST_MAX_MS = Math.round(600_000 * Math.max(1, DEPTH / CHECK_DEPTH));
