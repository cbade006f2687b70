import { CHECK_DEPTH, DEPTH } from "./depth.ts";

/**
 * When the runner ends a test, a hook or a poll, and when a page's wait ends. The only end of time of all tests: a hang
 * is rare, and a busy machine is a dozen times slower than an idle one. It grows with the depth, as the work of tests
 * does.
 */
export const TEST_MAX_MS = Math.round(600_000 * Math.max(1, DEPTH / CHECK_DEPTH));
