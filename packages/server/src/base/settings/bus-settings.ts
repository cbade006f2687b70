import { parseNatsUrl } from "./nats-address.ts";
import { secretSetting } from "./setting-row.ts";

/** The settings of what several nodes share beside the database. */
export const BUS_ROWS = {
  natsUrl: secretSetting({
    variable: "PROPGATE_NATS_URL",
    about:
      "NATS servers that carry quotes between the nodes of a database, comma-separated, such as nats://user:password@10.0.0.5:4222; tls:// encrypts. One node then makes the prices of all. Every node of the database needs it, or none. Default: each process makes its own prices.",
    parse: (value) =>
      parseNatsUrl(value) === null
        ? {
            problem:
              "must be addresses such as nats://host:4222 or tls://user:password@host:4222, separated by commas, all with the same user",
          }
        : { value },
  }),
};
