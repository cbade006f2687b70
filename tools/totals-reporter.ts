import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with the plain line `N passed, N failed`, counted from the real results. */
export class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
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
    process.stdout.write(`\n${skipped}${count.passed} passed, ${count.failed} failed\n`);
  }
}

export default TotalsReporter;
