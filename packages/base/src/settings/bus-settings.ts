import { parseNatsUrl } from "./nats-address.ts";
import { secretSettingRow, settingRow } from "./setting-row.ts";

/**
 * The work of a process when several nodes serve a database: `engine` decides accounts, `feed` makes the prices, `all`
 * does both and `api` neither.
 */
export type ProcessRole = "all" | "api" | "engine" | "feed";

const ROLES: readonly string[] = ["all", "api", "engine", "feed"] satisfies readonly ProcessRole[];

/** The settings of the message bus, which connects the nodes that share a database. */
export const BUS_SETTING_ROWS = {
  natsUrl: secretSettingRow({
    variable: "PROPGATE_NATS_URL",
    about:
      "NATS servers that carry quotes and orders between the nodes of a database, comma-separated, such as nats://user:password@10.0.0.5:4222; tls:// encrypts. Every node of the database needs it. Default: one process serves the database.",
    parse: (value) =>
      parseNatsUrl(value) === null
        ? {
            problem:
              "must be addresses such as nats://host:4222 or tls://user:password@host:4222, separated by commas, all with the same user",
          }
        : { value },
  }),
  role: settingRow<ProcessRole>({
    variable: "PROPGATE_ROLE",
    about:
      "The work of this node among several: engine decides its share of the accounts, feed makes the prices, all does both, api does neither. Every node answers every request. Other roles than all need PROPGATE_NATS_URL.",
    fallback: "all",
    parse: (value) =>
      isRole(value) ? { value } : { problem: `must be ${ROLES.join(", ")}, not "${value}"` },
  }),
};

function isRole(value: string): value is ProcessRole {
  return ROLES.includes(value);
}
