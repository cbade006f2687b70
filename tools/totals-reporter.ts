import type { Reporter, TestModule } from "vitest/node";
import { DEPTH, SEED } from "../test/environment/depth.ts";
import { removeLeftBehind } from "../test/environment/left-behind.ts";
import { RUN_NAME } from "../test/environment/run-name.ts";

/**
 * Ends a run with its depth and seed, and the plain line `N passed, N failed`, counted from the results. Each process
 * and each database that a test left behind counts as a failure. When a signal stops the run, each file that was
 * running counts as a failure too.
 */
export class TotalsReporter implements Reporter {
  /** The paths of the files that are running, by the id of their module. */
  readonly #running = new Map<string, string>();
  readonly #ended: TestModule[] = [];

  onInit(): void {
    for (const [signal, number] of [
      ["SIGINT", 2],
      ["SIGTERM", 15],
    ] as const) {
      process.once(signal, () => {
        const running = [...this.#running.values()];
        process.stdout.write(`\nStopped by ${signal}. Files that were running:\n`);
        process.stdout.write(running.map((path) => `  ${path}\n`).join("") || "  none\n");
        this.printTotals(this.#ended, Math.max(1, running.length));
        process.exit(128 + number);
      });
    }
  }

  onTestModuleQueued(module: TestModule): void {
    this.#running.set(module.id, module.relativeModuleId);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.id);
    this.#ended.push(module);
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly unknown[],
  ): Promise<void> {
    const left = await removeLeftBehind(RUN_NAME);
    for (const what of left) process.stdout.write(`\nA test left behind: ${what}\n`);
    if (left.length > 0) process.exitCode = 1;
    this.printTotals(modules, unhandledErrors.length + left.length);
  }

  printTotals(modules: readonly TestModule[], failedOutside: number): void {
    const count = { passed: 0, failed: failedOutside, skipped: 0 };
    for (const module of modules) {
      let seen = 0;
      for (const test of module.children.allTests()) {
        seen += 1;
        const { state } = test.result();
        if (state === "passed") count.passed += 1;
        else if (state === "skipped") count.skipped += 1;
        else count.failed += 1;
      }
      // Failures outside of tests, such as a check after the last test, count as failed tests.
      for (const suite of module.children.allSuites()) count.failed += suite.errors().length;
      // A file that does not load runs no test. It counts as a failure.
      if (seen === 0 || (module.state() === "failed" && module.errors().length > 0))
        count.failed += 1;
    }
    const skipped = count.skipped > 0 ? `${count.skipped} skipped\n` : "";
    const depth = `PROPGATE_DEPTH=${DEPTH} PROPGATE_SEED=${SEED}\n`;
    process.stdout.write(`\n${depth}${skipped}${count.passed} passed, ${count.failed} failed\n`);
  }
}

export default TotalsReporter;
