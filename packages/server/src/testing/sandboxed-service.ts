import type { Instruments } from "@propgate/core";
import { pino } from "pino";
import { systemTimer } from "../../../base/src/clock.ts";
import { parseMasterKeys } from "../../../base/src/keys/master-key.ts";
import { createShards } from "../../../ledger/src/storage/shards/shards.ts";
import { storePrograms } from "../../../market/src/catalogue/program-desk.ts";
import { loadPrograms } from "../../../market/src/catalogue/programs.ts";
import { boardCandles } from "../../../market/src/prices/candles/memory-candles.ts";
import { createQuoteStore } from "../../../market/src/storage/quote-store.ts";
import type { SandboxedService, SandboxParts } from "../start/run-sandbox.ts";
import { composeService } from "../start/service.ts";
import { madeQuoteFlow } from "./made-quote-flow.ts";

/** Returns a function that makes a sandbox's service from its parts and this catalogue, without a public listener. */
export function sandboxedServiceComposer(instruments: Instruments) {
  return async ({
    database,
    clock,
    chance,
    networkTimeoutMs,
  }: SandboxParts): Promise<SandboxedService> => {
    const { board, intake } = madeQuoteFlow(instruments);
    await board.restore(createQuoteStore(database), clock.now());
    const programs = await loadPrograms(null);
    await storePrograms(programs, { database, clock });
    const { engine, keyring, accounts, app, webhooks } = composeService({
      databases: createShards([database]),
      clock,
      chance,
      board,
      candles: boardCandles(board),
      intake,
      networkTimeoutMs,
      timer: systemTimer,
      catalogue: { instruments, simulated: [], symbols: new Map() },
      masterKeys: parseMasterKeys(Buffer.alloc(32, 7).toString("base64")),
      operatorToken: "op_sandboxed_0123456789abcdef012345",
      brand: "Service",
      networkName: "Propgate",
      accountsPerOwner: 5,
      prices: { name: "by hand", warnings: () => [] },
      log: pino({ level: "error" }, { write: (line) => throwFault(line) }),
    });
    await engine.restore();
    return {
      baseUrl: "http://127.0.0.1:1",
      board,
      market: engine.market,
      due: engine.due,
      actions: engine.actions,
      carryOutActions: () => engine.carryOutActions(),
      nonces: engine.shards[0].nonces,
      webhooks: webhooks.lanes,
      accounts,
      payouts: engine.payouts,
      keys: keyring.desk,
      instruments,
      programs: programs.programs,
      links: null,
      async stop() {
        await app.close();
        await engine.executor.idle();
      },
    };
  };
}

/** Throws a fault that was logged, so that it fails the test that caused it. */
function throwFault(line: string): never {
  throw new Error(line);
}
