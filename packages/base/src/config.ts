import { BUS_SETTING_ROWS } from "./settings/bus-settings.ts";
import { parseDatabaseUrls } from "./settings/database-list.ts";
import { NETWORK_SETTING_ROWS } from "./settings/network-settings.ts";
import {
  type PricePlan,
  parsePercentByPair,
  parsePricePlan,
  type ValuesByPair,
} from "./settings/price-plan.ts";
import {
  listItems,
  parseAddressBlocks,
  parseAnyText,
  parseDatabaseUrl,
  parseListenSetting,
  parseNamedOrigins,
  parsePercentage,
  parsePositiveNumber,
  parseWebOrigin,
  parseYesOrNo,
  patternParser,
  wholeNumberParser,
} from "./settings/setting-parsers.ts";
import { type SettingRow, secretSettingRow, settingRow } from "./settings/setting-row.ts";
import { readSettingText } from "./settings/setting-text.ts";
import { VENUE_SETTING_ROWS } from "./settings/venue-settings.ts";
import { WEBHOOK_SETTING_ROWS } from "./settings/webhook-settings.ts";

/**
 * Every setting: its variable, its description, its default and its parser. The flags of the command line and
 * `docs/reference/configuration.md` are made from these rows. A default of null means that the setting is absent unless
 * it is given.
 */
const SETTING_ROWS = {
  host: settingRow({
    variable: "PROPGATE_HOST",
    about: "Address to listen on. Put a TLS proxy in front before exposing it to a network.",
    fallback: "127.0.0.1",
    parse: parseAnyText,
  }),
  port: settingRow({
    variable: "PROPGATE_PORT",
    about: "Port to listen on; 0 picks a free port.",
    fallback: 8787,
    parse: wholeNumberParser(0, 65_535),
  }),
  operatorListen: settingRow({
    variable: "PROPGATE_OPERATOR_LISTEN",
    about:
      "Address of a listener for the operator's interface alone, such as 127.0.0.1:8788 or [::1]:8788. The public listener then answers 404 for it. Default: the public listener serves it.",
    fallback: null,
    parse: parseListenSetting,
  }),
  metricsListen: settingRow({
    variable: "PROPGATE_METRICS_LISTEN",
    about:
      "Address of a listener that serves GET /metrics to Prometheus, such as 127.0.0.1:9464. It asks for no token, so only Prometheus may reach it. Default: none, and nothing is counted.",
    fallback: null,
    parse: parseListenSetting,
  }),
  otlpUrl: settingRow({
    variable: "PROPGATE_OTLP_URL",
    about:
      "Address of a collector of OpenTelemetry that takes traces over OTLP/HTTP, such as http://127.0.0.1:4318. Default: none, and the SDK of OpenTelemetry is not loaded.",
    fallback: null,
    parse: parseWebOrigin,
  }),
  publicUrl: settingRow({
    variable: "PROPGATE_PUBLIC_URL",
    about:
      "Public address of the pages, such as https://trade.example.com. Cookies, links and passkeys use it; passkeys need https, except on localhost. Default: the request's Host header.",
    fallback: null,
    parse: parseWebOrigin,
  }),
  trustedProxies: settingRow({
    variable: "PROPGATE_TRUSTED_PROXIES",
    about:
      "Addresses or CIDR blocks of the reverse proxies, comma-separated, such as 127.0.0.1. Their X-Forwarded-For is trusted for address lists of keys, last use, limits and the audit.",
    fallback: [],
    parse: parseAddressBlocks,
  }),
  dataDir: settingRow({
    variable: "PROPGATE_DATA_DIR",
    about: "Folder of the embedded database, the master key and the operator's token.",
    fallback: "data",
    parse: parseAnyText,
  }),
  databaseUrl: secretSettingRow({
    variable: "PROPGATE_DATABASE_URL",
    about: "PostgreSQL 15 or newer to use instead of the embedded database.",
    parse: parseDatabaseUrl,
  }),
  databaseUrls: secretSettingRow({
    variable: "PROPGATE_DATABASE_URLS",
    about:
      "Several databases of PostgreSQL, comma-separated, in an order that never changes. The first has people, settings and prices; all have accounts. Replaces PROPGATE_DATABASE_URL.",
    parse: parseDatabaseUrls,
  }),
  // The names of the signed headers contain this word. @rule D1.brand decides
  brand: settingRow({
    variable: "PROPGATE_BRAND",
    about: "The word in the X-<word>-Key-Id, -Timestamp, -Nonce and -Signature headers.",
    fallback: "Service",
    parse: patternParser(
      /^[A-Za-z][A-Za-z0-9]{0,31}$/,
      "must be a word of 1 to 32 letters and digits",
    ),
  }),
  // Errors and pages name the network with this word. @rule D1.network decides
  networkName: settingRow({
    variable: "PROPGATE_NETWORK_NAME",
    about: "The network's name in error messages and on the pages.",
    fallback: "Propgate",
    parse: parseAnyText,
  }),
  masterKey: secretSettingRow({
    variable: "PROPGATE_MASTER_KEY",
    about:
      "32 bytes in base64 that encrypt the keys' secrets. Default: a file in the data folder with mode 0600.",
    parse: patternParser(
      /^((\d{1,3}:)?([A-Za-z0-9+/]{43}=|[0-9a-fA-F]{64})(,|$))+$/,
      "must be 32 bytes in base64 or hex, or several as version:key with commas",
    ),
  }),
  operatorToken: secretSettingRow({
    variable: "PROPGATE_OPERATOR_TOKEN",
    about:
      "Bearer token of the operator's interface. Default: a file in the data folder with mode 0600.",
    parse: patternParser(
      /^[\x21-\x7e]{24,}$/,
      "must be at least 24 printable characters, no spaces",
    ),
  }),
  cataloguePath: settingRow({
    variable: "PROPGATE_CATALOGUE",
    about:
      "Instrument catalogue: a JSON file, or `standard` or `perps`, which come with the service. `perps` has crypto, commodities and indices as perpetual contracts in USDC, around the clock. Default: standard.",
    fallback: null,
    parse: parseAnyText,
  }),
  programsPath: settingRow({
    variable: "PROPGATE_PROGRAMS",
    about: "Programs (JSON). Default: the programs that come with the service.",
    fallback: null,
    parse: parseAnyText,
  }),
  replay: settingRow({
    variable: "PROPGATE_REPLAY",
    about:
      "Recorded prices to replay, comma-separated: FILE or PAIR=FILE. Default: simulated prices.",
    fallback: [],
    parse: (list) => ({ value: listItems(list) }),
  }),
  replaySpeed: settingRow({
    variable: "PROPGATE_REPLAY_SPEED",
    about: "Speed of a replay; 2 is twice as fast as recorded.",
    fallback: 1,
    parse: parsePositiveNumber,
  }),
  replayRebase: settingRow<"now" | "own">({
    variable: "PROPGATE_REPLAY_REBASE",
    about:
      "`now` gives recorded prices the current time. `own` runs the service on the recording's time.",
    fallback: "now",
    parse: (word) =>
      word === "now" || word === "own" ? { value: word } : { problem: "must be now or own" },
  }),
  replayLoop: settingRow({
    variable: "PROPGATE_REPLAY_LOOP",
    about: "Restart a replay when it ends.",
    fallback: false,
    parse: parseYesOrNo,
  }),
  replayMaxUnusable: settingRow({
    variable: "PROPGATE_REPLAY_MAX_UNUSABLE",
    about:
      "Max share of a price file's rows that may be unusable, in per cent. A file with more of them is refused.",
    fallback: 1,
    parse: parsePercentage,
  }),
  priceUrls: settingRow({
    variable: "PROPGATE_PRICE_URLS",
    about:
      "Other addresses for venues of live prices, comma-separated: NAME=ORIGIN, such as kraken=http://127.0.0.1:9001. HTTP and WebSocket of that venue both go there, for proxies and tests.",
    fallback: [],
    parse: parseNamedOrigins,
  }),
  tapeDays: settingRow({
    variable: "PROPGATE_TAPE_DAYS",
    about:
      "Days for which every accepted quote is kept in the folder tape of the data folder; 0 records none.",
    fallback: 30,
    parse: wholeNumberParser(0, 36_500),
  }),
  candleDays: settingRow({
    variable: "PROPGATE_CANDLE_DAYS",
    about:
      "Days for which candles are kept in the database; 0 stores none, and charts begin at each start.",
    fallback: 400,
    parse: wholeNumberParser(0, 36_500),
  }),
  confirmRestore: settingRow({
    variable: "PROPGATE_CONFIRM_RESTORE",
    about:
      "`true` confirms a restore at the start. Without it restored data may only be read until `propgate operator restore confirm`.",
    fallback: false,
    parse: parseYesOrNo,
  }),
  prices: settingRow<PricePlan | null>({
    variable: "PROPGATE_PRICES",
    about:
      "Live price sources, the preferred first: `kraken,coinbase` for every pair, or by class and pair, the most specific wins: `crypto=kraken,coinbase;forex=oanda,tiingo;AAPL=alpaca`. `simulated` or `replay` asks by name for prices that no venue makes, which data that had live prices need. Default: simulated prices.",
    fallback: null,
    parse: parsePricePlan,
  }),
  pricesDeviation: settingRow<ValuesByPair<number> | null>({
    variable: "PROPGATE_PRICES_DEVIATION",
    about:
      "Largest difference between two live sources that agree, percent: `1` for every pair, or by class and pair as above. Default: `crypto=1;forex=0.3;indices=0.5;equities=1;commodities=1`.",
    fallback: null,
    parse: parsePercentByPair,
  }),
  simulationSeed: settingRow({
    variable: "PROPGATE_SIMULATION_SEED",
    about: "Seed of the simulated prices; the same seed gives the same prices.",
    fallback: "propgate",
    parse: parseAnyText,
  }),
  accountsPerOwner: settingRow({
    variable: "PROPGATE_ACCOUNTS_PER_OWNER",
    about:
      "Maximum number of accounts of one owner, where neither the owner nor the program has its own; none by default.",
    fallback: null,
    parse: wholeNumberParser(1, 100_000),
  }),
  networkTimeoutSeconds: settingRow({
    variable: "PROPGATE_NETWORK_TIMEOUT",
    about:
      "Timeout of one call to the trading network, in seconds. A read then answers 503, an order 500 with an unknown fate.",
    fallback: 15,
    parse: wholeNumberParser(1, 600),
  }),
  connectionsMax: settingRow({
    variable: "PROPGATE_CONNECTIONS_MAX",
    about:
      "Maximum number of open connections. Further connections get a 503 and are closed. One IPv4 /24 or IPv6 /56 has a quarter, except loopback and PROPGATE_TRUSTED_PROXIES.",
    fallback: 4_000,
    parse: wholeNumberParser(1, 1_000_000),
  }),
  requestTimeoutSeconds: settingRow({
    variable: "PROPGATE_REQUEST_TIMEOUT",
    about: "Seconds that a client may take to send a request; at most 10 of them for the headers.",
    fallback: 30,
    parse: wholeNumberParser(1, 3_600),
  }),
  keepAliveSeconds: settingRow({
    variable: "PROPGATE_KEEP_ALIVE",
    about:
      "Seconds that an idle connection stays open. Behind a proxy, set more than the proxy's own timeout.",
    fallback: 75,
    parse: wholeNumberParser(1, 86_400),
  }),
  stopDelaySeconds: settingRow({
    variable: "PROPGATE_STOP_DELAY",
    about:
      "Seconds to keep serving after SIGTERM. /ready answers 503 and every answer closes its connection, so that load balancers and clients leave first.",
    fallback: 0,
    parse: wholeNumberParser(0, 300),
  }),
  hstsMaxAgeSeconds: settingRow({
    variable: "PROPGATE_HSTS_MAX_AGE",
    about: "max-age of the Strict-Transport-Security header, in seconds; 0 sends no header.",
    fallback: 0,
    parse: wholeNumberParser(0, 315_360_000),
  }),
  logLevel: settingRow({
    variable: "PROPGATE_LOG_LEVEL",
    about: "trace, debug, info, warn, error or silent.",
    fallback: "warn",
    parse: patternParser(/^(trace|debug|info|warn|error|fatal|silent)$/, "must be a log level"),
  }),
  ...BUS_SETTING_ROWS,
  ...NETWORK_SETTING_ROWS,
  ...VENUE_SETTING_ROWS,
  ...WEBHOOK_SETTING_ROWS,
};

/** The values of all settings, by name. */
export type Settings = {
  readonly [Name in keyof typeof SETTING_ROWS]: (typeof SETTING_ROWS)[Name]["fallback"];
};

/** The row of each setting, with the type of its value. */
export type SettingTable = { readonly [Name in keyof Settings]: SettingRow<Settings[Name]> };

/** The rows of all settings, by name. */
export const SETTINGS: SettingTable = SETTING_ROWS;

const NAMES: readonly (keyof Settings)[] = Object.keys(SETTING_ROWS).filter(isSetting);

function isSetting(name: string): name is keyof Settings {
  return Object.hasOwn(SETTING_ROWS, name);
}

/** The settings with warnings, or the problems because of which they cannot be used. */
export type SettingsReading =
  | { readonly ok: true; readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads all settings from the environment; `flags`, by the name of the setting, override it. Returns either the
 * settings or all problems together, each with the variable or flag that is wrong.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  flags: Readonly<Partial<Record<keyof Settings, string>>> = {},
): SettingsReading {
  const { read, problems } = createSettingReader(environment, flags);
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

/** The settings of a service that a sandbox has too. */
export type SandboxNames = Pick<Settings, "brand" | "networkName">;

/** For settings that a sandbox does not read, the options of the sandbox to use instead. */
const SANDBOX_OPTIONS: Readonly<Partial<Record<keyof Settings, string>>> = {
  port: "--port",
  dataDir: "--data",
  cataloguePath: "--catalogue",
  programsPath: "--programs",
  networkTimeoutSeconds: "--network-timeout",
  networkUrl: "--network vanta",
  gatewayUrl: "--network vanta",
};

/**
 * Reads the variables that a sandbox uses. Every other setting of the service is a problem, and so is an unknown
 * variable with the prefix `PROPGATE_`. The text of the problem names the option to use instead, or says `unset it`.
 * Variables of client programs are ignored. @rule D1.brand D1.network
 */
export function readSandboxNames(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<keyof SandboxNames, string>>> = {},
):
  | { readonly ok: true; readonly names: SandboxNames }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const { read, problems } = createSettingReader(environment, flags);
  const names = { brand: read("brand"), networkName: read("networkName") };
  problems.push(...sandboxEnvironmentProblems(environment));
  return problems.length === 0 ? { ok: true, names } : { ok: false, problems };
}

/**
 * The problems of an environment for a sandbox: settings that it does not read, each with the option to use or `unset
 * it`, and unknown `PROPGATE_` variables. Variables of client programs are ignored. @rule D8.sandboxSettings decides
 */
function sandboxEnvironmentProblems(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const isGiven = (variable: string) =>
    (environment[variable] ?? "") !== "" && !CLIENT_VARIABLES.has(variable);
  const settings = NAMES.filter((name) => name !== "brand" && name !== "networkName").flatMap(
    (name) => {
      const { variable, fileVariable } = SETTINGS[name];
      const { [name]: option } = SANDBOX_OPTIONS;
      const remedy = option === undefined ? "unset it" : `use ${option}`;
      return [variable, ...(fileVariable === undefined ? [] : [fileVariable])]
        .filter(isGiven)
        .map((given) => `${given} is not read by a sandbox: ${remedy}`);
    },
  );
  const unknown = unknownVariables(environment)
    .filter(isGiven)
    .map((name) => `${name} is not a setting: unset it`);
  return [...settings, ...unknown];
}

/**
 * Makes a reader of single settings. `read` returns the value of a setting; when the value is wrong, it adds to
 * `problems` and returns the default.
 */
function createSettingReader(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<keyof Settings, string>>>,
) {
  const problems: string[] = [];
  const read = <Name extends keyof Settings>(name: Name): Settings[Name] => {
    const row: SettingRow<Settings[Name]> = SETTINGS[name];
    const flag = flags[name];
    const { text, variable, problem } =
      flag === undefined
        ? readSettingText(environment, row)
        : { text: flag, variable: `--${flagName(name)}`, problem: null };
    if (problem !== null) problems.push(problem);
    if (text === "") return row.fallback;
    const parsed = row.parse(text);
    if ("value" in parsed) return parsed.value;
    problems.push(`${variable} ${parsed.problem}`);
    return row.fallback;
  };
  return { read, problems };
}

/** The values of all settings that may also be given in files. They are secret, so no log may contain them. */
export function secretSettings(settings: Settings): readonly string[] {
  return NAMES.filter((name) => SETTINGS[name].fileVariable !== undefined)
    .map((name) => settings[name])
    .filter((value) => typeof value === "string");
}

/**
 * Variables of client programs, which may also call a sandbox. A sandbox ignores them, although some are settings of a
 * service.
 */
const CLIENT_VARIABLES: ReadonlySet<string> = new Set([
  "PROPGATE_NONCE",
  "PROPGATE_OPERATOR_TOKEN",
  "PROPGATE_OPERATOR_TOKEN_FILE",
  "PROPGATE_PROFILE",
  "PROPGATE_PUSH_URL",
  "PROPGATE_SECRET_FILE",
  "PROPGATE_TIMESTAMP",
]);

/**
 * Variables that other programs than the service read, such as the command line, clients and tests. They are not
 * reported as unknown settings.
 */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  "PROPGATE_SECRET",
  "PROPGATE_KEY_ID",
  "PROPGATE_BASE_URL",
  "PROPGATE_COMPILE_CACHE",
  "PROPGATE_MARKET_DIR",
  "PROPGATE_MIGRATION_DATABASE_URL",
  "PROPGATE_MIGRATION_DATABASE_URL_FILE",
  "PROPGATE_MIGRATION_DATABASE_URLS",
  "PROPGATE_MIGRATION_DATABASE_URLS_FILE",
  "PROPGATE_DEPTH",
  "PROPGATE_SEED",
  "PROPGATE_TEST_DATABASE_URL",
  "PROPGATE_TEST_NATS_URL",
]);

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(
    Object.values(SETTINGS).flatMap(({ variable, fileVariable }) => [variable, fileVariable]),
  );
  return Object.keys(environment).filter(
    (name) =>
      name.startsWith("PROPGATE_") &&
      ![known, CLIENT_VARIABLES, OTHER_VARIABLES].some((names) => names.has(name)),
  );
}

/** The flag of a setting on the command line: `replay-speed` for `replaySpeed`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
