import { Console } from "node:console";
import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { DefaultReporter, type TestModule, type Vitest } from "vitest/node";
import { OutputByFile } from "./output-by-file.ts";

type Printed = Parameters<DefaultReporter["onUserConsoleLog"]>[0];
type Files = Parameters<DefaultReporter["reportSummary"]>[0];

const SLOWEST = 10;

/**
 * Prints one line per test file, without colours or cursor moves that a log would keep. Each failure gets one line
 * directly below its file, because a run that is stopped does not reach the summary. The summary shows the failures
 * whole, after the output of the failed files. The output of files that passed is not shown, except their `SKIPPED:`
 * lines.
 */
export class CheckReporter extends DefaultReporter {
  readonly #output = new OutputByFile();

  constructor() {
    super({ isTTY: false });
  }

  override onInit(vitest: Vitest): void {
    // This console has one stream for output and errors, so failures stay in order with the lines around them.
    vitest.logger.console = new Console(process.stdout.isTTY ? process.stdout : withoutColours());
    super.onInit(vitest);
    // Vitest pipes the output of its workers into these streams: that of the tests and of the processes that they
    // start.
    vitest.logger.outputStream = this.#collector();
    vitest.logger.errorStream = this.#collector();
  }

  override onUserConsoleLog(log: Printed): void {
    const task = log.taskId === undefined ? undefined : this.ctx.state.idMap.get(log.taskId);
    this.#output.add(task?.file.filepath ?? "", log.content);
  }

  override onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()].map((test) => test.result().state);
    const counted = (state: string): number => tests.filter((one) => one === state).length;
    const [failed, skipped] = [counted("failed"), counted("skipped")];
    const counts = [
      `${tests.length} ${tests.length === 1 ? "test" : "tests"}`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ];
    const mark = module.state() === "failed" ? "✗" : "✓";
    this.log(`${mark} ${module.relativeModuleId} (${counts.join(", ")}) ${seconds(module)} s`);
    for (const failure of failures(module)) this.log(`    ${failure}`);
  }

  override reportSummary(files: Files, errors: unknown[]): void {
    for (const file of files.filter(({ result }) => result?.state === "fail")) {
      const printed = this.#output.of(file.filepath).trim();
      if (printed !== "") this.log(`\n${file.name} printed:\n${printed}`);
    }
    const unknown = this.#output.of("").trim();
    if (errors.length > 0 && unknown !== "")
      this.log(`\nPrinted outside of the tests:\n${unknown}`);
    super.reportSummary(files, errors);
  }

  override reportTestSummary(): void {
    const slowest = this.ctx.state
      .getTestModules()
      .toSorted((one, other) => durationMs(other) - durationMs(one))
      .slice(0, SLOWEST);
    this.log(`\nSlowest files:`);
    for (const module of slowest) {
      this.log(`${seconds(module).padStart(7)} s  ${module.relativeModuleId}`);
    }
    const skips = this.#output.matches(/^SKIPPED: .*$/gm);
    if (skips.length > 0) this.log(`\n${skips.join("\n")}`);
  }

  #collector(): Writable {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
    stream.on("pipe", (worker) => this.#output.follow(worker));
    return stream;
  }
}

/** The standard output without colour codes. Some CI environments request colours although they have no terminal. */
function withoutColours(): Writable {
  return new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      process.stdout.write(stripVTControlCharacters(text));
      done();
    },
  });
}

/**
 * The first line of each error outside of the tests, then each failed test with the first line of each of its errors.
 */
function failures(module: TestModule): readonly string[] {
  const firstLine = ({ message }: { readonly message: string }): string =>
    message.split("\n")[0] ?? "";
  const outside = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
  const tests = [...module.children.allTests("failed")].map((one) => {
    const errors = one.result().errors ?? [];
    return `${one.fullName}: ${errors.map(firstLine).join("; ")}`;
  });
  return [...outside.map(firstLine), ...tests];
}

function durationMs(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration;
}

function seconds(module: TestModule): string {
  return (durationMs(module) / 1000).toFixed(1);
}

export default CheckReporter;
