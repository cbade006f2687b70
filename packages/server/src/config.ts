import { isAddressBlock } from "./http/edge/address-block.ts";

/**
 * The only reader of the environment. Every setting is a row of `SETTINGS`: its variable, what it
 * is for, its default, and the check that names it when a value is wrong. The command line's flags
 * are the same rows under another spelling; `docs/reference/configuration.md` is made from them.
 */
export interface Settings {
  readonly host: string;
  readonly port: number;
  /** What a browser shows for the pages: an origin. Null: the address that it asked for. */
  readonly publicUrl: string | null;
  /** Addresses and CIDR blocks. */
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly brand: string;
  readonly networkName: string;
  readonly masterKey: string | null;
  readonly operatorToken: string | null;
  readonly cataloguePath: string | null;
  readonly programsPath: string | null;
  /** Files to replay; empty: simulated prices. */
  readonly replay: readonly string[];
  readonly replaySpeed: number;
  readonly replayRebase: "now" | "own";
  readonly replayLoop: boolean;
  readonly simulationSeed: string;
  readonly accountsPerOwner: number;
  readonly networkTimeoutSeconds: number;
  readonly connectionsMax: number;
  readonly requestTimeoutSeconds: number;
  readonly keepAliveSeconds: number;
  /** 0: no such header. */
  readonly hstsMaxAgeSeconds: number;
  readonly logLevel: string;
}

export interface SettingRow<Value> {
  readonly variable: string;
  readonly about: string;
  readonly fallback: Value;
  /** The value, or what is wrong with the text, as a sentence's end: "must be …". */
  readonly parse: (text: string) => { readonly value: Value } | { readonly problem: string };
}

export type SettingTable = { readonly [Name in keyof Settings]: SettingRow<Settings[Name]> };

export const SETTINGS: SettingTable = {
  host: {
    variable: "PROPGATE_HOST",
    about: "Address to listen on. Put a TLS proxy in front before you open it to a network.",
    fallback: "127.0.0.1",
    parse: text,
  },
  port: {
    variable: "PROPGATE_PORT",
    about: "Port to listen on; 0 takes a free one.",
    fallback: 8787,
    parse: wholeNumber(0, 65_535),
  },
  publicUrl: {
    variable: "PROPGATE_PUBLIC_URL",
    about:
      "Address of the pages as a browser shows it, such as https://trade.example.com: for cookies, links and passkeys, which need https, but on localhost. Without it the Host that was asked for.",
    fallback: null,
    parse: webOrigin,
  },
  trustedProxies: {
    variable: "PROPGATE_TRUSTED_PROXIES",
    about:
      "Addresses or CIDR blocks, comma-separated, of the proxies in front, such as 127.0.0.1: what they say in X-Forwarded-For is believed, for the limits of signing in and for the audit.",
    fallback: [],
    parse: addressBlocks,
  },
  dataDir: {
    variable: "PROPGATE_DATA_DIR",
    about: "Folder of the embedded database, the master key and the operator's token.",
    fallback: "data",
    parse: text,
  },
  databaseUrl: {
    variable: "PROPGATE_DATABASE_URL",
    about: "PostgreSQL 15 or newer to use instead of the embedded database.",
    fallback: null,
    parse: databaseUrl,
  },
  brand: {
    variable: "PROPGATE_BRAND",
    about: "The word in the X-<word>-Key-Id, -Timestamp, -Nonce and -Signature headers.",
    fallback: "Service",
    parse: matching(/^[A-Za-z][A-Za-z0-9]{0,31}$/, "must be a word of 1 to 32 letters and digits"),
  },
  networkName: {
    variable: "PROPGATE_NETWORK_NAME",
    about: "The network's name in texts such as the 503's.",
    fallback: "Propgate",
    parse: text,
  },
  masterKey: {
    variable: "PROPGATE_MASTER_KEY",
    about:
      "32 bytes in base64 that seal the key secrets. Without it a 0600 file in the data folder.",
    fallback: null,
    parse: matching(
      /^((\d{1,3}:)?([A-Za-z0-9+/]{43}=|[0-9a-fA-F]{64})(,|$))+$/,
      "must be 32 bytes in base64 or hex, or several as version:key with commas",
    ),
  },
  operatorToken: {
    variable: "PROPGATE_OPERATOR_TOKEN",
    about: "Bearer token of the operator's interface. Without it a 0600 file in the data folder.",
    fallback: null,
    parse: matching(/^[\x21-\x7e]{24,}$/, "must be at least 24 printable characters, no spaces"),
  },
  cataloguePath: {
    variable: "PROPGATE_CATALOGUE",
    about: "Instrument catalogue (JSON) to use instead of the one that comes with the service.",
    fallback: null,
    parse: text,
  },
  programsPath: {
    variable: "PROPGATE_PROGRAMS",
    about: "Programs (JSON) to use instead of those that come with the service.",
    fallback: null,
    parse: text,
  },
  replay: {
    variable: "PROPGATE_REPLAY",
    about:
      "Recorded prices to replay, comma-separated: FILE or PAIR=FILE. Empty: simulated prices.",
    fallback: [],
    parse: (list) => ({ value: items(list) }),
  },
  replaySpeed: {
    variable: "PROPGATE_REPLAY_SPEED",
    about: "How many times faster than recorded a replay runs.",
    fallback: 1,
    parse: positiveNumber,
  },
  replayRebase: {
    variable: "PROPGATE_REPLAY_REBASE",
    about:
      "`now`: recorded prices are stamped with the current time. `own`: the service lives in theirs.",
    fallback: "now",
    parse: (word) =>
      word === "now" || word === "own" ? { value: word } : { problem: "must be now or own" },
  },
  replayLoop: {
    variable: "PROPGATE_REPLAY_LOOP",
    about: "Start a replay again when it ends.",
    fallback: false,
    parse: yesOrNo,
  },
  simulationSeed: {
    variable: "PROPGATE_SIMULATION_SEED",
    about: "Seed of the simulated prices; the same seed gives the same market.",
    fallback: "propgate",
    parse: text,
  },
  accountsPerOwner: {
    variable: "PROPGATE_ACCOUNTS_PER_OWNER",
    about: "How many active accounts one owner may have.",
    fallback: 5,
    parse: wholeNumber(1, 100_000),
  },
  networkTimeoutSeconds: {
    variable: "PROPGATE_NETWORK_TIMEOUT",
    about:
      "Seconds the trading network may take for one call; then a read is a 503, and an order a 500 that says its fate is unknown.",
    fallback: 15,
    parse: wholeNumber(1, 600),
  },
  connectionsMax: {
    variable: "PROPGATE_CONNECTIONS_MAX",
    about: "Open connections of this process; one more gets a 503 and is closed.",
    fallback: 4_000,
    parse: wholeNumber(1, 1_000_000),
  },
  requestTimeoutSeconds: {
    variable: "PROPGATE_REQUEST_TIMEOUT",
    about: "Seconds a client may take to send a request, at most 10 of them for its headers.",
    fallback: 30,
    parse: wholeNumber(1, 3_600),
  },
  keepAliveSeconds: {
    variable: "PROPGATE_KEEP_ALIVE",
    about: "Seconds an idle connection stays open; behind a proxy more than the proxy's own.",
    fallback: 75,
    parse: wholeNumber(1, 86_400),
  },
  hstsMaxAgeSeconds: {
    variable: "PROPGATE_HSTS_MAX_AGE",
    about: "Seconds of the Strict-Transport-Security header; 0 sends none. TLS is the proxy's.",
    fallback: 0,
    parse: wholeNumber(0, 315_360_000),
  },
  logLevel: {
    variable: "PROPGATE_LOG_LEVEL",
    about: "trace, debug, info, warn, error or silent.",
    fallback: "warn",
    parse: matching(/^(trace|debug|info|warn|error|fatal|silent)$/, "must be a log level"),
  },
};

export type SettingsReading =
  | { readonly ok: true; readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Settings from the environment, with `flags` (setting name → text, `source` their spelling in
 * messages) winning over it. All problems at once, each naming the variable or flag that is wrong.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  flags: Readonly<Partial<Record<keyof Settings, string>>> = {},
): SettingsReading {
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
  const settings: Settings = {
    host: read("host"),
    port: read("port"),
    publicUrl: read("publicUrl"),
    trustedProxies: read("trustedProxies"),
    dataDir: read("dataDir"),
    databaseUrl: read("databaseUrl"),
    brand: read("brand"),
    networkName: read("networkName"),
    masterKey: read("masterKey"),
    operatorToken: read("operatorToken"),
    cataloguePath: read("cataloguePath"),
    programsPath: read("programsPath"),
    replay: read("replay"),
    replaySpeed: read("replaySpeed"),
    replayRebase: read("replayRebase"),
    replayLoop: read("replayLoop"),
    simulationSeed: read("simulationSeed"),
    accountsPerOwner: read("accountsPerOwner"),
    networkTimeoutSeconds: read("networkTimeoutSeconds"),
    connectionsMax: read("connectionsMax"),
    requestTimeoutSeconds: read("requestTimeoutSeconds"),
    keepAliveSeconds: read("keepAliveSeconds"),
    hstsMaxAgeSeconds: read("hstsMaxAgeSeconds"),
    logLevel: read("logLevel"),
  };
  const warnings = unknownVariables(environment).map(
    (name) => `${name} is no setting of this version and is ignored`,
  );
  return problems.length === 0
    ? { ok: true, settings: Object.freeze(settings), warnings }
    : { ok: false, problems };
}

/** Variables of the command line and of tests; the service itself does not read them. */
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

function text(value: string): { readonly value: string } {
  return { value };
}

function webOrigin(value: string): { readonly value: string } | { readonly problem: string } {
  const url = URL.parse(value);
  const isOrigin = /^https?:\/\/[^/?#@\\]+\/?$/i.test(value) && url !== null && url.host !== "";
  return isOrigin
    ? { value: url.origin }
    : { problem: "must be an http or https address without a path" };
}

function addressBlocks(
  list: string,
): { readonly value: readonly string[] } | { readonly problem: string } {
  const value = items(list);
  const wrong = value.find((one) => !isAddressBlock(one));
  return wrong === undefined
    ? { value }
    : { problem: `must be addresses or CIDR blocks with commas, and ${wrong} is none` };
}

/** Of a comma-separated list. */
function items(list: string): readonly string[] {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

function databaseUrl(value: string): { readonly value: string } | { readonly problem: string } {
  // The URL itself may hold a password, so no message repeats it.
  return /^postgres(ql)?:\/\/.+/.test(value)
    ? { value }
    : { problem: "must start with postgres:// or postgresql://" };
}

function positiveNumber(value: string): { readonly value: number } | { readonly problem: string } {
  const number = Number(value);
  return /^\d+(\.\d+)?$/.test(value) && number > 0
    ? { value: number }
    : { problem: `must be a number above 0, not "${value}"` };
}

function yesOrNo(value: string): { readonly value: boolean } | { readonly problem: string } {
  if (value === "true" || value === "1") return { value: true };
  if (value === "false" || value === "0") return { value: false };
  return { problem: `must be true or false, not "${value}"` };
}

function wholeNumber(least: number, most: number) {
  return (value: string): { readonly value: number } | { readonly problem: string } => {
    const number = Number(value);
    return /^\d+$/.test(value) && number >= least && number <= most
      ? { value: number }
      : { problem: `must be a whole number from ${least} to ${most}, not "${value}"` };
  };
}

function matching(pattern: RegExp, problem: string) {
  return (value: string): { readonly value: string } | { readonly problem: string } =>
    pattern.test(value) ? { value } : { problem };
}
