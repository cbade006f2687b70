/**
 * When the runner ends a test, a hook or a poll, and when a page's wait ends. The only end of time of all tests: a hang
 * is rare, and a busy machine is a dozen times slower than an idle one.
 */
export const TEST_MAX_MS = 180_000;
