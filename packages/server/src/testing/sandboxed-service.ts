import { type Instruments, type OwnerId, ownerId } from "@propgate/core";
import { createEngine } from "../engine.ts";
import { keyCache } from "../keys/key-cache.ts";
import { keyDesk } from "../keys/manage-keys.ts";
import { parseMasterKeys } from "../keys/master-key.ts";
import { secretBox } from "../keys/seal-secret.ts";
import type { AccountDesk } from "../operator/operator-world.ts";
import { createQuoteBoard } from "../prices/quote-board.ts";
import type { SandboxedService, SandboxParts } from "../sandbox/run-sandbox.ts";
import { keyStore } from "../storage/stores/key-store.ts";
import { quoteStore } from "../storage/stores/quote-store.ts";
import { TEST_TERMS } from "./counting-decider.ts";

/** The engine on the sandbox's parts, without the public HTTP interface in front of it. */
export function sandboxedService(instruments: Instruments) {
  return async ({ database, clock, chance }: SandboxParts): Promise<SandboxedService> => {
    const board = createQuoteBoard({ outliers: { mostMove: 0.2, confirmedBy: 3 } });
    const engine = createEngine({
      ...{ database, clock, chance, instruments, board },
      accountsPerOwner: 5,
      onFault: (cause) => {
        throw cause;
      },
    });
    const store = keyStore(database);
    const box = secretBox(parseMasterKeys(Buffer.alloc(32, 7).toString("base64")), chance);
    await board.restore(quoteStore(database), clock.now());
    await engine.restore();
    return {
      baseUrl: "http://127.0.0.1:1",
      board,
      market: engine.market,
      due: engine.due,
      accounts: desk(engine.accounts, () => chance.uuid()),
      keys: keyDesk({ store, cache: keyCache({ store, box }), box, chance, clock }),
      instruments,
      stop: () => engine.executor.idle(),
    };
  };
}

function desk(
  accounts: ReturnType<typeof createEngine>["accounts"],
  uuid: () => string,
): AccountDesk {
  const owner = (given: OwnerId | null) => given ?? ownerId(uuid());
  return {
    open: ({ ownerId: given, size, criteria, provisioned }) =>
      accounts.open({
        ownerId: owner(given),
        terms: { ...TEST_TERMS, size, criteria },
        provisioned,
      }),
    list: async () => ({ items: [], next: null }),
    has: async (id) => (await accounts.find(id)) !== null,
    async act(id, deed) {
      const change = await (deed.deed === "eliminate"
        ? accounts.eliminate(id, deed.reason)
        : accounts[deed.deed](id));
      if (change === null) return "missing";
      return change.ok ? "done" : { refused: change.refusal.code };
    },
  };
}
