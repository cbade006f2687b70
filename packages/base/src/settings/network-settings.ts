import { parseUpstreamOrigin, patternParser, wordParser } from "./setting-parsers.ts";
import { secretSettingRow, settingRow } from "./setting-row.ts";

/** The form of an API key of a trading network. The problem never repeats the key. */
const parseNetworkKey = patternParser(
  /^[\x21-\x7e]{1,512}$/,
  "must be 1 to 512 printable characters, no spaces",
);

/** The settings of the trading networks behind the API. */
export const NETWORK_SETTING_ROWS = {
  network: settingRow<"embedded" | "vanta">({
    variable: "PROPGATE_NETWORK",
    about:
      "The networks behind the API: `embedded` is the service's own alone; with `vanta`, subaccounts of a Vanta validator can be linked as well. Accounts of the service's own network work with both.",
    fallback: "embedded",
    parse: wordParser(["embedded", "vanta"]),
  }),
  networkUrl: settingRow({
    variable: "PROPGATE_NETWORK_URL",
    about:
      "Address of the Vanta validator, such as https://validator.example.com:48888; http only for a loopback address.",
    fallback: null,
    parse: parseUpstreamOrigin,
  }),
  gatewayUrl: settingRow({
    variable: "PROPGATE_GATEWAY_URL",
    about:
      "Address of the entity's gateway, which takes orders, such as https://gateway.example.com:8088; http only for a loopback address.",
    fallback: null,
    parse: parseUpstreamOrigin,
  }),
  networkEntity: settingRow({
    variable: "PROPGATE_NETWORK_ENTITY",
    about: "The hotkey of the entity whose subaccounts can be linked.",
    fallback: null,
    parse: patternParser(/^[0-9A-Za-z]{1,64}$/, "must be a hotkey: 1 to 64 letters and digits"),
  }),
  networkKey: secretSettingRow({
    variable: "PROPGATE_NETWORK_KEY",
    about: "API key of the Vanta validator.",
    parse: parseNetworkKey,
  }),
  gatewayKey: secretSettingRow({
    variable: "PROPGATE_GATEWAY_KEY",
    about: "API key of the entity's gateway. Default: the key of the validator.",
    parse: parseNetworkKey,
  }),
};
