import { ok, refuse } from "@propgate/core";
import fastify from "fastify";
import { journalDesk } from "../journal/journal-desk.ts";
import type { Log } from "../log.ts";
import { createStateCache } from "../network/state-cache.ts";
import { createAccountDesk } from "../operator/account-desk.ts";
import { addOperatorInterface } from "../operator/operator-interface.ts";
import { seededChance } from "../random.ts";
import { TEST_TERMS } from "./counting-decider.ts";
import { type Harness, openHarness } from "./harness.ts";

export const TEST_TOKEN = "op_test_0123456789abcdef0123456789";

/** The operator's interface over a whole service, each on a listener of its own. */
export interface OperatorService {
  readonly harness: Harness;
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Sells any size but 666: that one no program has. */
export async function openOperatorService(log: Log): Promise<OperatorService> {
  const harness = await openHarness();
  const { database, accounts, keys, time } = harness;
  const app = fastify();
  addOperatorInterface(app, {
    token: TEST_TOKEN,
    log,
    clock: time.clock,
    world: {
      keys,
      accounts: createAccountDesk({
        accounts,
        states: createStateCache(database),
        chance: seededChance("operator"),
        findTerms: ({ size, assetClass, criteria }) =>
          size === 666_000_000
            ? refuse("no program has this size")
            : ok({ ...TEST_TERMS, size, assetClass, criteria }),
      }),
      journal: journalDesk(database, harness.instruments),
      health: async () => ({
        nowMs: time.clock.now(),
        storage: database.kind,
        prices: { source: "none", pairs: 0, newestQuoteAtMs: null, warnings: [] },
      }),
    },
  });
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    harness,
    baseUrl,
    async close() {
      await app.close();
      await harness.close();
    },
  };
}
