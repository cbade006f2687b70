import { listItems } from "./setting-parsers.ts";
import { settingRow } from "./setting-row.ts";

/** The webhooks that may call loopback and private addresses: none, those of the operator, or also those of owners. */
export type AllowedPrivateWebhooks = "none" | "operator" | "all";

const PORTS = [443, 8443] as const;

/** The settings for the addresses that webhooks may call. */
export const WEBHOOK_SETTING_ROWS = {
  webhookPorts: settingRow<readonly number[]>({
    variable: "PROPGATE_WEBHOOKS_PORTS",
    about: "Ports that webhooks may call at public addresses, comma-separated.",
    fallback: PORTS,
    parse: parsePorts,
  }),
  webhooksPrivate: settingRow<AllowedPrivateWebhooks>({
    variable: "PROPGATE_WEBHOOKS_PRIVATE",
    about:
      "The webhooks that may also call loopback and private addresses, there over http too and at any port: `0` (the default) none, `1` the operator's, `all` also those of owners. Metadata services and the service's own listeners are never called.",
    fallback: "none",
    parse(word) {
      const value = PRIVATE.get(word);
      return value === undefined ? { problem: "must be 0, 1 or all" } : { value };
    },
  }),
};

const PRIVATE: ReadonlyMap<string, AllowedPrivateWebhooks> = new Map([
  ["0", "none"],
  ["1", "operator"],
  ["all", "all"],
]);

function parsePorts(
  list: string,
): { readonly value: readonly number[] } | { readonly problem: string } {
  const value = listItems(list).map((item) => (/^\d{1,5}$/.test(item) ? Number(item) : 0));
  return value.length > 0 && value.every((port) => port >= 1 && port <= 65_535)
    ? { value }
    : { problem: "must be ports from 1 to 65535, separated by commas" };
}
