import { join } from "node:path";
import { OPERATOR_PREFIX } from "@propgate/contract";
import type { RunningService, Settings, Tuning } from "@propgate/server";
import { type Command, Option } from "commander";
import { usageError } from "../cli-error.ts";
import { databaseUrlOption } from "../database-url.ts";
import { firstRequestLines } from "../first-request.ts";
import { nameValueLines, printResult } from "../output.ts";
import { startFailure } from "../start-failure.ts";
import type { Terminal } from "../terminal.ts";

type Switch = "replayLoop" | "confirmRestore";
type Flag = Exclude<keyof Settings, "replay" | "trustedProxies" | Switch>;

/**
 * The options of `serve` whose text is the value of a setting. Each of these settings also has an environment variable.
 */
const FLAGS: readonly { readonly setting: Flag; readonly flags: string; readonly about: string }[] =
  [
    { setting: "port", flags: "--port <n>", about: "port to listen on; 0 takes a free one (8787)" },
    { setting: "host", flags: "--host <address>", about: "address to listen on (127.0.0.1)" },
    {
      setting: "operatorListen",
      flags: "--operator-listen <host:port>",
      about: "a separate listener for the operator's interface",
    },
    {
      setting: "publicUrl",
      flags: "--public-url <url>",
      about: "address of the pages in a browser, behind a TLS proxy",
    },
    { setting: "dataDir", flags: "--data, --data-dir <dir>", about: "folder of its data (data)" },
    {
      setting: "prices",
      flags: "--prices <sources>",
      about: "live prices: kraken,coinbase or crypto=kraken;AAPL=alpaca; or simulated, replay",
    },
    {
      setting: "replaySpeed",
      flags: "--speed, --replay-speed <n>",
      about: "how many times faster than recorded (1)",
    },
    {
      setting: "replayRebase",
      flags: "--rebase, --replay-rebase <now|own>",
      about: "timestamps of recorded prices: now, or the recording's own (now)",
    },
    {
      setting: "replayMaxUnusable",
      flags: "--max-unusable, --replay-max-unusable <percent>",
      about: "share of a price file's rows that may be unusable (1)",
    },
    {
      setting: "simulationSeed",
      flags: "--seed, --simulation-seed <text>",
      about: "seed of simulated prices",
    },
    {
      setting: "network",
      flags: "--network <embedded|vanta>",
      about: "vanta: subaccounts of a Vanta validator can be linked (embedded)",
    },
    {
      setting: "networkUrl",
      flags: "--network-url <url>",
      about: "address of the Vanta validator",
    },
    {
      setting: "gatewayUrl",
      flags: "--gateway-url <url>",
      about: "address of the entity's gateway, which takes orders",
    },
    {
      setting: "networkEntity",
      flags: "--network-entity <hotkey>",
      about: "hotkey of the entity whose subaccounts can be linked",
    },
    {
      setting: "role",
      flags: "--role <all|api|engine|feed>",
      about: "the node's work among several: accounts (engine), prices (feed) (all)",
    },
    { setting: "brand", flags: "--brand <word>", about: "word in the header names (Service)" },
    {
      setting: "logLevel",
      flags: "--log-level <level>",
      about: "trace, debug, info, warn, error, silent (warn)",
    },
  ];

const OWN_TIME_NOTE =
  "the service's clock is the recording's own; requests must be signed with that time, which GET " +
  "/api/v1/time answers (the SDK and this command learn it; the signers of examples/ read PROPGATE_TIMESTAMP)";

export type ServeOptions = Readonly<Partial<Record<Flag, string>>> & {
  readonly [Name in Switch]?: boolean;
} & {
  readonly replay?: readonly string[];
  readonly json?: boolean;
  readonly showSecrets?: boolean;
};

/** `propgate serve`: runs the service in the foreground until a signal stops it. */
export function addServe(program: Command, terminal: Terminal): void {
  const command = program
    .command("serve")
    .summary("run the service")
    .description(
      "Run the service in the foreground. Without --prices or --replay, prices are simulated. Every setting " +
        "also has an environment variable, such as PROPGATE_PORT and PROPGATE_DATA_DIR.",
    );
  addServeOptions(command).addOption(
    new Option("--replay <file...>", "recorded prices, as FILE or PAIR=FILE; may be repeated"),
  );
  command.action(() => serve(command.optsWithGlobals<ServeOptions>(), terminal));
}

/** Adds the options of `serve`, except `--replay`. */
export function addServeOptions(command: Command): Command {
  for (const { flags, about } of FLAGS) command.option(flags, about);
  return command
    .addOption(
      databaseUrlOption(
        "PostgreSQL instead of the embedded database; the password only in the environment",
      ),
    )
    .option("--confirm-restore", "confirm that restored data may be traded on")
    .option("--loop, --replay-loop", "start the recording again when it ends")
    .option("--show-secrets", "print the key and links of a first start even without a terminal");
}

/** Runs the service until a signal stops it. When the service ends by itself, throws the reason. */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const settings = await readServeSettings(options, terminal);
  // With --json, standard output has only the one line that a program reads, so the log goes to standard error.
  const logged = options.json === true ? { writeLog: (line: string) => terminal.error(line) } : {};
  const service = await start(settings, logged);
  // The wait for signals begins before the ready line is printed, because the reader of that line may stop the service
  // immediately.
  const stopped = terminal.untilStopped();
  const firstStart = await saveFirstSecrets(service, { settings, options, terminal });
  printResult(terminal, options, {
    value: summary(service, firstStart),
    lines: welcomeLines(service, firstStart, terminal),
  });
  for (const warning of service.warnings) terminal.error(`propgate: ${warning}\n`);
  if (settings.replay.length > 0 && settings.replayRebase === "own") {
    terminal.error(`propgate: ${OWN_TIME_NOTE}\n`);
  }
  const reason = await Promise.race([stopped.then(() => null), service.ended]);
  await service.stop();
  if (reason !== null) throw startFailure(reason);
}

/**
 * Reads the environment and the options, and prints warnings about them. Throws a usage error that names every wrong
 * setting.
 */
export async function readServeSettings(
  options: ServeOptions,
  terminal: Terminal,
): Promise<Settings> {
  const { readSettings, flagName } = await import("@propgate/server");
  const flags: Partial<Record<keyof Settings, string>> = {};
  if (options.databaseUrl !== undefined) flags.databaseUrl = options.databaseUrl;
  for (const { setting } of FLAGS) {
    const given = options[setting];
    if (given !== undefined) flags[setting] = given;
  }
  if (options.replay !== undefined) flags.replay = options.replay.join(",");
  if (options.replayLoop === true) flags.replayLoop = "true";
  if (options.confirmRestore === true) flags.confirmRestore = "true";
  const reading = readSettings(terminal.env, flags);
  if (!reading.ok) {
    const [first = "", ...more] = reading.problems.map((problem) =>
      withFlagName(problem, flagName),
    );
    throw usageError(first, more.length === 0 ? null : more.join("\n"));
  }
  for (const warning of reading.warnings) terminal.error(`propgate: ${warning}\n`);
  return reading.settings;
}

/** The problem, with the setting's own name replaced by the flag as the help spells it. */
function withFlagName(problem: string, flagName: (setting: string) => string): string {
  const flag = FLAGS.find(({ setting }) => problem.startsWith(`--${flagName(setting)} `));
  if (flag === undefined) return problem;
  const [spelling = ""] = flag.flags.split(/[ ,]/);
  return problem.replace(/^--\S+/, spelling);
}

async function start(settings: Settings, tuning: Tuning): Promise<RunningService> {
  const { startService } = await import("@propgate/server");
  try {
    return await startService(settings, tuning);
  } catch (cause) {
    throw startFailure(cause);
  }
}

/** Where the secrets of a first start are: printed, or in a file. */
type FirstSecretsTarget = "print" | { readonly file: string };

const FIRST_START_FILE = "first-start.txt";

/**
 * Prints the secrets of a first start, or writes them to a file that only this user can read. The file is used without
 * a terminal, unless `--show-secrets` is set, because standard output may then be a log that other users can read.
 */
async function saveFirstSecrets(
  service: RunningService,
  given: {
    readonly settings: Settings;
    readonly options: ServeOptions;
    readonly terminal: Terminal;
  },
): Promise<FirstSecretsTarget> {
  const { settings, options, terminal } = given;
  const lines = firstStartLines(service, terminal);
  if (lines.length === 0) return "print";
  if (terminal.outIsTerminal || options.showSecrets === true) return "print";
  const file = join(settings.dataDir, FIRST_START_FILE);
  const { addToSecretFile } = await import("@propgate/server");
  try {
    await addToSecretFile(file, `${lines.join("\n")}\n`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const again = "create others with operator keys create and operator people link";
    terminal.error(`propgate: ${file} cannot be written, ${again}: ${reason}\n`);
  }
  return { file };
}

/** The lines about a first key and first people; empty unless this start created them. */
function firstStartLines(service: RunningService, { invocation }: Terminal): readonly string[] {
  const { firstKey } = service;
  const key = firstKey === null ? [] : firstRequestLines(service, firstKey);
  return [...key, ...signInLines(service, invocation)];
}

function summary(service: RunningService, firstStart: FirstSecretsTarget) {
  const { baseUrl, accountId, storage, prices, warnings } = service;
  const { firstKey, firstLinks } =
    firstStart === "print" ? service : { firstKey: null, firstLinks: [] };
  return {
    baseUrl,
    operatorUrl: service.operatorUrl,
    metricsUrl: service.metricsUrl,
    accountId,
    firstKey,
    firstLinks,
    firstStartFile: firstStart === "print" ? null : firstStart.file,
    storage,
    prices,
    warnings,
  };
}

function welcomeLines(
  service: RunningService,
  firstStart: FirstSecretsTarget,
  terminal: Terminal,
): readonly string[] {
  const token = service.operatorTokenFile;
  return [
    `Propgate serves at ${service.baseUrl}`,
    "",
    ...nameValueLines([
      ["  API", `${service.baseUrl}/api/v1/openapi.json describes it`],
      [
        "  operator",
        `${service.operatorUrl}${OPERATOR_PREFIX}${token === null ? "" : `, token in ${token}`}`,
      ],
      ...(service.metricsUrl === null ? [] : [["  metrics", service.metricsUrl] as const]),
      ["  data", service.storage],
      ["  prices", service.prices],
      ["  account", service.accountId ?? "none yet"],
    ]),
    "",
    ...(firstStart === "print"
      ? [
          ...(service.firstKey === null ? anotherKeyLines(service, terminal.invocation) : []),
          ...firstStartLines(service, terminal),
        ]
      : [
          "This start created a first key or sign-in links. They are in a file that only this user can read.",
          "Read it and delete it:",
          `  ${firstStart.file}`,
        ]),
    "",
    "Ctrl-C stops it.",
  ];
}

/**
 * The lines with the one-time links for the first people. They are printed at this start only, because later starts do
 * not have the links.
 */
function signInLines({ firstLinks }: RunningService, invocation: string): readonly string[] {
  if (firstLinks.length === 0) return [];
  return [
    "",
    "Links to the pages, with which each person chooses a password. A link works once, within a day:",
    ...nameValueLines(firstLinks.map(({ name, url }) => [`  ${name}`, url])),
    `A new link: ${invocation} operator people link NAME`,
  ];
}

function anotherKeyLines(service: RunningService, invocation: string): readonly string[] {
  const account = service.accountId;
  if (account === null) {
    return [`Open an account with: ${invocation} operator accounts open --size 100000`];
  }
  return [
    "A key's secret is shown only once, when it is created. Another key:",
    `  ${invocation} operator keys create --account ${account}`,
  ];
}
