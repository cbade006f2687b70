import { parseListenSetting, patternParser, wordParser } from "./setting-parsers.ts";
import { secretSettingRow, settingRow } from "./setting-row.ts";

/** The form of an API key or token of a venue. The problem never repeats it. */
const parseVenueKey = patternParser(
  /^[\x21-\x7e]{1,512}$/,
  "must be 1 to 512 printable characters, no spaces",
);

/** The settings of price venues that need an account, and of the firm's own prices. */
export const VENUE_SETTING_ROWS = {
  oandaToken: secretSettingRow({
    variable: "PROPGATE_OANDA_TOKEN",
    about: "Access token of an OANDA v20 account, for the price source `oanda`.",
    parse: parseVenueKey,
  }),
  oandaAccount: secretSettingRow({
    variable: "PROPGATE_OANDA_ACCOUNT",
    about:
      "Id of that account, such as 101-004-1234567-001. OANDA quotes the account's own prices.",
    parse: patternParser(/^[0-9A-Za-z-]{1,64}$/, "must be an account id: digits and hyphens"),
  }),
  oandaHost: settingRow<"practice" | "live">({
    variable: "PROPGATE_OANDA_HOST",
    about: "`practice` or `live`: the OANDA environment that issued the token.",
    fallback: "practice",
    parse: wordParser(["practice", "live"]),
  }),
  tiingoToken: secretSettingRow({
    variable: "PROPGATE_TIINGO_TOKEN",
    about: "API token of a Tiingo account, for the price source `tiingo`.",
    parse: parseVenueKey,
  }),
  massiveKey: secretSettingRow({
    variable: "PROPGATE_MASSIVE_KEY",
    about: "API key of a Massive account (formerly Polygon), for the price source `massive`.",
    parse: parseVenueKey,
  }),
  alpacaKey: secretSettingRow({
    variable: "PROPGATE_ALPACA_KEY",
    about: "API key id of an Alpaca account, for the price source `alpaca`.",
    parse: parseVenueKey,
  }),
  alpacaSecret: secretSettingRow({
    variable: "PROPGATE_ALPACA_SECRET",
    about: "Secret of that key.",
    parse: parseVenueKey,
  }),
  alpacaFeed: settingRow<"iex" | "sip">({
    variable: "PROPGATE_ALPACA_FEED",
    about:
      "Alpaca's stock feed: `iex` is one exchange, `sip` all of them with a paid subscription.",
    fallback: "iex",
    parse: wordParser(["iex", "sip"]),
  }),
  pushListen: settingRow({
    variable: "PROPGATE_PUSH_LISTEN",
    about:
      "Address of the listener that takes the firm's own prices, such as 127.0.0.1:8790. Default: 127.0.0.1:8790 when `push` is one of the price sources.",
    fallback: null,
    parse: parseListenSetting,
  }),
  pushToken: secretSettingRow({
    variable: "PROPGATE_PUSH_TOKEN",
    about: "Token of that listener's clients: a bearer token, or the secret that signs requests.",
    parse: patternParser(
      /^[\x21-\x7e]{24,512}$/,
      "must be at least 24 printable characters, no spaces",
    ),
  }),
};
