import { Console } from "node:console";
import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { DefaultReporter, type TestModule, type Vitest } from "vitest/node";
import { OutputByFile } from "./output-by-file.ts";

type Printed = Parameters<DefaultReporter["onUserConsoleLog"]>[0];
type Files = Parameters<DefaultReporter["reportSummary"]>[0];

const SLOWEST = 10;

/**
 * One line a file, without colours or cursor moves that a log would keep, and one for each failure, which a run that is
 * stopped would not reach at its end. There they come whole, after what the failed files printed; the output of files
 * that passed is not shown, but for the lines that say what was skipped.
 */
export class CheckReporter extends DefaultReporter {
  readonly #output = new OutputByFile();

  constructor() {
    super({ isTTY: false });
  }

  override onInit(vitest: Vitest): void {
    // Failures go to the standard output too: in order with the lines around them.
    vitest.logger.console = new Console(process.stdout.isTTY ? process.stdout : withoutColours());
    super.onInit(vitest);
    // The workers write here what their tests and the processes of their tests print.
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

/** Some environments of CI ask for colours without a terminal. */
function withoutColours(): Writable {
  return new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      process.stdout.write(stripVTControlCharacters(text));
      done();
    },
  });
}

/** Each failed test with the first line of its error, and the errors outside of the tests. */
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
