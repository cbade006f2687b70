import type { SandboxSettings } from "@propgate/server";
import { type Command, Option } from "commander";
import { usageError } from "../cli-error.ts";
import { printableJson } from "../printable.ts";
import { startFailure } from "../start-failure.ts";
import type { Terminal } from "../terminal.ts";
import { parseTimeOption } from "../typed-time.ts";

interface SandboxOptions {
  readonly network: "embedded" | "vanta";
  readonly port: string;
  readonly start?: string;
  readonly seed: string;
  readonly clock: "frozen" | "real";
  readonly dataDir?: string;
  readonly networkTimeout: string;
  readonly brand?: string;
  readonly catalogue?: string;
  readonly programs?: string;
  readonly operator?: boolean;
}

/** `propgate sandbox`: runs the service with prices and a clock that the caller controls. */
export function addSandbox(program: Command, terminal: Terminal): void {
  const command = program
    .command("sandbox")
    .summary("run a service whose prices and clock you control")
    .description(
      "Run the service with a control plane for its prices and its clock. Prints one line of JSON " +
        "when it is ready: baseUrl, controlUrl, controlToken, accountId, keyId, secret; with " +
        "--network vanta also linkedAccountId, linkedKeyId, linkedSecret; with --operator also " +
        "operatorUrl, operatorToken.",
    )
    .option("--port <n>", "port of the API; 0 takes a free one", "0")
    .option(
      "--start <time>",
      "start of its clock: 2026-01-05, 2026-01-05T12:00Z or Unix milliseconds (now); not used where a folder goes on",
    )
    .option("--seed <text>", "equal seeds and calls give equal answers", "1")
    .addOption(
      new Option("--clock <kind>", "frozen moves only on request; real runs")
        .choices(["frozen", "real"])
        .default("frozen"),
    )
    .addOption(
      new Option("--network <name>", "vanta adds a stand-in for a validator and a linked account")
        .choices(["embedded", "vanta"])
        .default("embedded"),
    )
    .option(
      "--data, --data-dir <dir>",
      "store its data in a folder instead of in memory, and go on with what is there",
    )
    .option("--network-timeout <seconds>", "time limit for an order that hangs", "15")
    .option("--operator", "add the operator's interface, with its token in the line")
    .option("--catalogue <file>", "its instruments: a file, standard or perps (standard)")
    .option("--programs <file>", "the programs that it sells (those of the service)")
    .option("--brand <word>", "word in the header names (Service)");
  command.action(async () => {
    const options = command.optsWithGlobals<SandboxOptions>();
    const { mayHoldServiceData, readSandboxNames, startSandbox } = await import("@propgate/server");
    const { brand } = options;
    const reading = readSandboxNames(terminal.env, brand === undefined ? {} : { brand });
    if (!reading.ok) throw usageError(reading.problems.join("\n"));
    const isClockChosen = command.getOptionValueSource("clock") !== "default";
    const settings = {
      ...readSandboxSettings(withRealClock(options, isClockChosen)),
      ...reading.names,
    };
    const { dataDir } = settings;
    if (dataDir !== null && mayHoldServiceData({ databaseUrl: null, dataDir })) {
      throw usageError(
        `${dataDir} is the data folder of a service`,
        "Choose another folder with --data.",
      );
    }
    const standIn = options.network === "vanta" ? await openStandIn() : null;
    const behind = standIn === null ? {} : { validator: standIn.validator };
    // Log lines go to standard error, because standard output has only the ready line, which a program reads.
    const writeLog = (line: string): void => terminal.error(line);
    const sandbox = await startSandbox({ ...settings, ...behind, writeLog }).catch(
      async (cause: unknown) => {
        await standIn?.stop();
        throw startFailure(cause);
      },
    );
    const stopped = terminal.untilStopped();
    const { continuedAtMs } = sandbox;
    if (settings.startMs !== null && continuedAtMs !== null && continuedAtMs !== settings.startMs) {
      const at = new Date(continuedAtMs).toISOString();
      terminal.error(
        `propgate: --start was not used: the sandbox in ${dataDir} goes on at ${at}\n`,
      );
    }
    terminal.out(`${printableJson(sandbox.ready)}\n`);
    await stopped;
    await sandbox.stop();
    await standIn?.stop();
  });
}

async function openStandIn() {
  const { openSandboxValidator } = await import("../sandbox-validator.ts");
  return openSandboxValidator();
}

/**
 * The options of a sandbox. A stand-in validator uses the machine's clock and keeps no data, so `--network vanta` sets
 * the clock to `real`. Throws a usage error when another option contradicts that.
 */
function withRealClock(options: SandboxOptions, isClockChosen: boolean): SandboxOptions {
  if (options.network === "embedded") return options;
  if (isClockChosen && options.clock === "frozen") {
    throw usageError("--network vanta needs --clock real: the validator has its own clock");
  }
  if (options.start !== undefined) {
    throw usageError("--network vanta takes no --start: the validator has its own clock");
  }
  if (options.dataDir !== undefined) {
    throw usageError("--network vanta takes no --data: the validator of a sandbox keeps nothing");
  }
  return { ...options, clock: "real" };
}

function readSandboxSettings(options: SandboxOptions): SandboxSettings {
  const port = Number(options.port);
  if (!/^\d{1,5}$/.test(options.port) || port > 65_535) {
    throw usageError(`--port must be a whole number from 0 to 65535, not ${options.port}`);
  }
  const seconds = Number(options.networkTimeout);
  if (!/^\d{1,3}$/.test(options.networkTimeout) || seconds < 1 || seconds > 600) {
    throw usageError(
      `--network-timeout must be a whole number from 1 to 600, not ${options.networkTimeout}`,
    );
  }
  return {
    port,
    startMs: options.start === undefined ? null : parseTimeOption(options.start, "--start"),
    seed: options.seed,
    clock: options.clock,
    dataDir: options.dataDir ?? null,
    networkTimeoutMs: seconds * 1000,
    operator: options.operator === true,
    ...(options.catalogue === undefined ? {} : { catalogue: options.catalogue }),
    ...(options.programs === undefined ? {} : { programs: options.programs }),
  };
}
