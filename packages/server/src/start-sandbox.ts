import { createHash } from "node:crypto";
import { systemTimer } from "./clock.ts";
import { upgradeStates } from "./journal/state-format.ts";
import type { MasterKeys } from "./keys/master-key.ts";
import { listenerPort } from "./listener-port.ts";
import { openLog } from "./log.ts";
import { type Catalogue, loadCatalogue } from "./market/catalogue.ts";
import { keepPrograms } from "./market/program-desk.ts";
import { loadPrograms, type ProgramFile } from "./market/programs.ts";
import { createQuoteBoard } from "./prices/quote-board.ts";
import { systemChance } from "./random.ts";
import type { StartSandbox } from "./running-service.ts";
import { withFaults } from "./sandbox/faulty-network.ts";
import { withFaultySecrets } from "./sandbox/faulty-secrets.ts";
import { runSandbox, type SandboxedService, type SandboxParts } from "./sandbox/run-sandbox.ts";
import { withSettledMarket } from "./sandbox/settled-network.ts";
import { type ComposedService, composeService } from "./service.ts";
import { quoteStore } from "./storage/stores/quote-store.ts";

const ACCOUNTS_PER_OWNER = 5;
/** A sandbox guards no money; its folder has to open again, whatever it is started with. */
const MASTER_KEY = createHash("sha256").update("sandbox").digest();
const SANDBOX_MASTER_KEYS: MasterKeys = {
  current: { version: 1, key: MASTER_KEY },
  byVersion: new Map([[1, MASTER_KEY]]),
};

/** The whole service with a market and a clock that the caller holds. @rule D8.sandbox */
export const startSandbox: StartSandbox = async (settings) => {
  const catalogue = await loadCatalogue(null);
  const programs = await loadPrograms(null);
  const log = openLog("error");
  return runSandbox({
    ...settings,
    onFault: (cause) => log.error({ err: cause }, "fault"),
    compose: (parts) => compose(parts, { catalogue, programs, log }),
  });
};

async function compose(
  parts: SandboxParts,
  given: {
    readonly catalogue: Catalogue;
    readonly programs: ProgramFile;
    readonly log: ReturnType<typeof openLog>;
  },
): Promise<SandboxedService> {
  const { database, clock, chance, faults, port } = parts;
  // Quotes given by hand are always believed.
  const board = createQuoteBoard({ outliers: null });
  await board.restore(quoteStore(database), clock.now());
  await keepPrograms(given.programs, { database, clock });
  const { catalogue, log } = given;
  await upgradeStates({ database, instruments: catalogue.instruments, log });
  const composed: ComposedService = composeService({
    ...given,
    database,
    clock,
    chance,
    // A client waits in its own time, whatever the clock of the sandbox does.
    timer: systemTimer,
    networkTimeoutMs: parts.networkTimeoutMs,
    board,
    masterKeys: SANDBOX_MASTER_KEYS,
    // The control plane is how a sandbox is operated; whoever knows its seed must not know this key.
    operatorToken: Buffer.from(systemChance.bytes(32)).toString("base64url"),
    brand: "Service",
    networkName: "Propgate",
    accountsPerOwner: ACCOUNTS_PER_OWNER,
    prices: { name: "by hand", warnings: () => [] },
    wrapNetwork: (network) =>
      withFaults(
        withSettledMarket(network, () => composed.engine.market.settled()),
        faults,
      ),
    wrapSecrets: (box) => withFaultySecrets(box, faults),
  });
  const { engine, keyring, accounts, app } = composed;
  // A key that is known keeps its opened secret in memory, where no fault could reach it.
  faults.onChange(() => keyring.cache.clear());
  await engine.restore();
  await app.listen({ host: "127.0.0.1", port });
  return {
    baseUrl: `http://127.0.0.1:${listenerPort(app.server.address())}`,
    board,
    market: engine.market,
    due: engine.due,
    accounts,
    payouts: engine.payouts,
    keys: keyring.desk,
    instruments: given.catalogue.instruments,
    async stop() {
      await app.close();
      await engine.market.settled();
      await engine.executor.idle();
    },
  };
}
