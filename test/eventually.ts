import { setTimeout as pause } from "node:timers/promises";
import { TestRunner } from "vitest";
import { TEST_MAX_MS } from "./environment/test-max-ms.ts";

const BETWEEN_MS = 25;

/**
 * Repeats a check until it returns true. After a timeout, the reported failure contains the source text of the check.
 */
export function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  return eventually(async () => {
    if (!(await isSo())) throw new Error(`not so: ${isSo.toString()}`);
  });
}

/**
 * Repeats the check until it does not throw, and resolves with its value. When the runner ends the test, the wait ends
 * too, and the error of the runner gets the last failure of the check as its cause.
 */
export async function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  // `beforeAll` and `afterAll` have no signal. In them the poll ends after `TEST_MAX_MS`, like the hook itself.
  const ends = TestRunner.getCurrentTest()?.context.signal ?? AbortSignal.timeout(TEST_MAX_MS);
  let failure: unknown;
  const addCause = (): void => {
    if (ends.reason instanceof Error) ends.reason.cause = failure;
  };
  ends.addEventListener("abort", addCause);
  try {
    for (;;) {
      try {
        return await check();
      } catch (cause) {
        failure = cause;
        if (ends.aborted) throw cause;
      }
      await pause(BETWEEN_MS);
    }
  } finally {
    ends.removeEventListener("abort", addCause);
  }
}
