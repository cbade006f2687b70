import {
  addressBlocks,
  databaseUrl,
  items,
  listenAddress,
  matching,
  positiveNumber,
  text,
  webOrigin,
  wholeNumber,
  yesOrNo,
} from "./setting-forms.ts";

export interface SettingRow<Value> {
  readonly variable: string;
  readonly about: string;
  readonly fallback: Value;
  /** The value, or a problem that continues the setting's name: "must be …". */
  readonly parse: (text: string) => { readonly value: Value } | { readonly problem: string };
}

function setting<Value>(row: SettingRow<Value>): SettingRow<Value> {
  return row;
}

/**
 * Every setting: its variable, what it is for, its default, and the check that names it when a value is wrong.
 * The command line's flags are the same rows under another spelling; `docs/reference/configuration.md` is
 * generated from them. Null means that the setting was not given.
 */
const ROWS = {
  host: setting({
    variable: "PROPGATE_HOST",
    about: "Address to listen on. Put a TLS proxy in front before you open it to a network.",
    fallback: "127.0.0.1",
    parse: text,
  }),
  port: setting({
    variable: "PROPGATE_PORT",
    about: "Port to listen on; 0 takes a free one.",
    fallback: 8787,
    parse: wholeNumber(0, 65_535),
  }),
  operatorListen: setting({
    variable: "PROPGATE_OPERATOR_LISTEN",
    about:
      "Address of a listener for the operator's interface alone, such as 127.0.0.1:8788 or [::1]:8788; elsewhere it is then not found. Without it the interface is on the same listener as everything else.",
    fallback: null,
    parse: listenAddress,
  }),
  publicUrl: setting({
    variable: "PROPGATE_PUBLIC_URL",
    about:
      "Address of the pages as a browser shows it, such as https://trade.example.com: for cookies, links and passkeys, which need https, but on localhost. Without it the Host that was asked for.",
    fallback: null,
    parse: webOrigin,
  }),
  trustedProxies: setting({
    variable: "PROPGATE_TRUSTED_PROXIES",
    about:
      "Addresses or CIDR blocks, comma-separated, of the proxies in front, such as 127.0.0.1: what they say in X-Forwarded-For is believed, for address lists of keys, last use, limits and the audit.",
    fallback: [],
    parse: addressBlocks,
  }),
  dataDir: setting({
    variable: "PROPGATE_DATA_DIR",
    about: "Folder of the embedded database, the master key and the operator's token.",
    fallback: "data",
    parse: text,
  }),
  databaseUrl: setting({
    variable: "PROPGATE_DATABASE_URL",
    about: "PostgreSQL 15 or newer to use instead of the embedded database.",
    fallback: null,
    parse: databaseUrl,
  }),
  brand: setting({
    variable: "PROPGATE_BRAND",
    about: "The word in the X-<word>-Key-Id, -Timestamp, -Nonce and -Signature headers.",
    fallback: "Service",
    parse: matching(/^[A-Za-z][A-Za-z0-9]{0,31}$/, "must be a word of 1 to 32 letters and digits"),
  }),
  networkName: setting({
    variable: "PROPGATE_NETWORK_NAME",
    about: "The network's name in texts such as the 503's.",
    fallback: "Propgate",
    parse: text,
  }),
  masterKey: setting({
    variable: "PROPGATE_MASTER_KEY",
    about:
      "32 bytes in base64 that seal the key secrets. Without it a 0600 file in the data folder.",
    fallback: null,
    parse: matching(
      /^((\d{1,3}:)?([A-Za-z0-9+/]{43}=|[0-9a-fA-F]{64})(,|$))+$/,
      "must be 32 bytes in base64 or hex, or several as version:key with commas",
    ),
  }),
  operatorToken: setting({
    variable: "PROPGATE_OPERATOR_TOKEN",
    about: "Bearer token of the operator's interface. Without it a 0600 file in the data folder.",
    fallback: null,
    parse: matching(/^[\x21-\x7e]{24,}$/, "must be at least 24 printable characters, no spaces"),
  }),
  cataloguePath: setting({
    variable: "PROPGATE_CATALOGUE",
    about: "Instrument catalogue (JSON) to use instead of the one that comes with the service.",
    fallback: null,
    parse: text,
  }),
  programsPath: setting({
    variable: "PROPGATE_PROGRAMS",
    about: "Programs (JSON) to use instead of those that come with the service.",
    fallback: null,
    parse: text,
  }),
  replay: setting({
    variable: "PROPGATE_REPLAY",
    about:
      "Recorded prices to replay, comma-separated: FILE or PAIR=FILE. Empty: simulated prices.",
    fallback: [],
    parse: (list) => ({ value: items(list) }),
  }),
  replaySpeed: setting({
    variable: "PROPGATE_REPLAY_SPEED",
    about: "How many times faster than recorded a replay runs.",
    fallback: 1,
    parse: positiveNumber,
  }),
  replayRebase: setting<"now" | "own">({
    variable: "PROPGATE_REPLAY_REBASE",
    about:
      "`now`: recorded prices are stamped with the current time. `own`: the service lives in theirs.",
    fallback: "now",
    parse: (word) =>
      word === "now" || word === "own" ? { value: word } : { problem: "must be now or own" },
  }),
  replayLoop: setting({
    variable: "PROPGATE_REPLAY_LOOP",
    about: "Start a replay again when it ends.",
    fallback: false,
    parse: yesOrNo,
  }),
  simulationSeed: setting({
    variable: "PROPGATE_SIMULATION_SEED",
    about: "Seed of the simulated prices; the same seed gives the same market.",
    fallback: "propgate",
    parse: text,
  }),
  accountsPerOwner: setting({
    variable: "PROPGATE_ACCOUNTS_PER_OWNER",
    about: "How many active accounts one owner may have.",
    fallback: 5,
    parse: wholeNumber(1, 100_000),
  }),
  networkTimeoutSeconds: setting({
    variable: "PROPGATE_NETWORK_TIMEOUT",
    about:
      "Seconds the trading network may take for one call; then a read is a 503, and an order a 500 that says its fate is unknown.",
    fallback: 15,
    parse: wholeNumber(1, 600),
  }),
  connectionsMax: setting({
    variable: "PROPGATE_CONNECTIONS_MAX",
    about: "Open connections of this process; one more gets a 503 and is closed.",
    fallback: 4_000,
    parse: wholeNumber(1, 1_000_000),
  }),
  requestTimeoutSeconds: setting({
    variable: "PROPGATE_REQUEST_TIMEOUT",
    about: "Seconds a client may take to send a request, at most 10 of them for its headers.",
    fallback: 30,
    parse: wholeNumber(1, 3_600),
  }),
  keepAliveSeconds: setting({
    variable: "PROPGATE_KEEP_ALIVE",
    about: "Seconds an idle connection stays open; behind a proxy more than the proxy's own.",
    fallback: 75,
    parse: wholeNumber(1, 86_400),
  }),
  stopDelaySeconds: setting({
    variable: "PROPGATE_STOP_DELAY",
    about:
      "Seconds to go on serving after the process was told to stop, with /ready at 503, so that a load balancer sends it nothing more.",
    fallback: 0,
    parse: wholeNumber(0, 300),
  }),
  hstsMaxAgeSeconds: setting({
    variable: "PROPGATE_HSTS_MAX_AGE",
    about: "Seconds of the Strict-Transport-Security header; 0 sends none. TLS is the proxy's.",
    fallback: 0,
    parse: wholeNumber(0, 315_360_000),
  }),
  logLevel: setting({
    variable: "PROPGATE_LOG_LEVEL",
    about: "trace, debug, info, warn, error or silent.",
    fallback: "warn",
    parse: matching(/^(trace|debug|info|warn|error|fatal|silent)$/, "must be a log level"),
  }),
};

export type Settings = {
  readonly [Name in keyof typeof ROWS]: (typeof ROWS)[Name]["fallback"];
};

export type SettingTable = { readonly [Name in keyof Settings]: SettingRow<Settings[Name]> };

/** The only reader of the environment. */
export const SETTINGS: SettingTable = ROWS;

const NAMES: readonly (keyof Settings)[] = Object.keys(ROWS).filter(isSetting);

function isSetting(name: string): name is keyof Settings {
  return Object.hasOwn(ROWS, name);
}

export type SettingsReading =
  | { readonly ok: true; readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads the settings from the environment; `flags` (by setting name) override it. Reports all problems
 * together, each with the variable or flag that is wrong.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  flags: Readonly<Partial<Record<keyof Settings, string>>> = {},
): SettingsReading {
  const { read, problems } = settingReader(environment, flags);
  const settings: Partial<Writable<Settings>> = {};
  const take = <Name extends keyof Settings>(name: Name): void => {
    settings[name] = read(name);
  };
  for (const name of NAMES) take(name);
  const warnings = unknownVariables(environment).map(
    (name) => `${name} is not a setting of this version and is ignored`,
  );
  if (problems.length > 0) return { ok: false, problems };
  if (!isComplete(settings)) throw new Error("broken invariant: a setting was not read");
  return { ok: true, settings: Object.freeze(settings), warnings };
}

type Writable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

function isComplete(settings: Partial<Settings>): settings is Settings {
  return NAMES.every((name) => Object.hasOwn(settings, name));
}

/** The settings that a sandbox has as well. */
export type SandboxNames = Pick<Settings, "brand" | "networkName">;

/** Reads only the variables that a sandbox uses, so that no other variable can stop it. @rule D1.brand D1.network */
export function readSandboxNames(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<keyof SandboxNames, string>>> = {},
):
  | { readonly ok: true; readonly names: SandboxNames }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const { read, problems } = settingReader(environment, flags);
  const names = { brand: read("brand"), networkName: read("networkName") };
  return problems.length === 0 ? { ok: true, names } : { ok: false, problems };
}

/** `read` returns a setting's value; when the value is wrong it adds to `problems` and returns the default. */
function settingReader(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<keyof Settings, string>>>,
) {
  const problems: string[] = [];
  const read = <Name extends keyof Settings>(name: Name): Settings[Name] => {
    const row: SettingRow<Settings[Name]> = SETTINGS[name];
    const flag = flags[name];
    const given = flag ?? environment[row.variable];
    if (given === undefined || given === "") return row.fallback;
    const parsed = row.parse(given);
    if ("value" in parsed) return parsed.value;
    const where = flag === undefined ? row.variable : `--${flagName(name)}`;
    problems.push(`${where} ${parsed.problem}`);
    return row.fallback;
  };
  return { read, problems };
}

/** Variables that the command line and tests read, but the service does not. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  "PROPGATE_SECRET",
  "PROPGATE_KEY_ID",
  "PROPGATE_BASE_URL",
  "PROPGATE_MARKET_DIR",
  "PROPGATE_MIGRATION_DATABASE_URL",
  "PROPGATE_TEST_DATABASE_URL",
]);

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.values(SETTINGS).map((row) => row.variable));
  return Object.keys(environment).filter(
    (name) => name.startsWith("PROPGATE_") && !known.has(name) && !OTHER_VARIABLES.has(name),
  );
}

/** `replaySpeed` is `--replay-speed` on the command line. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
