import { createHash } from "node:crypto";
import {
  createHousekeeping,
  listenerPort,
  type MasterKeys,
  openLog,
  type SandboxNames,
  SETTINGS,
  systemTimer,
} from "@propgate/base";
import { createShards, embeddedMaintenanceJobs, upgradeStates } from "@propgate/ledger";
import {
  adoptCatalogue,
  boardCandles,
  type Catalogue,
  createLocalBus,
  createQuoteBoard,
  createQuoteIntake,
  createQuoteStore,
  loadCatalogue,
  loadPrograms,
  nextEpoch,
  type ProgramFile,
  storePrograms,
} from "@propgate/market";
import { withFaults } from "../sandbox/faulty-network.ts";
import { withFaultySecrets } from "../sandbox/faulty-secrets.ts";
import { withFaultyReceivers } from "../sandbox/faulty-sender.ts";
import { withLostAnswers } from "../sandbox/faulty-writes.ts";
import { withSettledMarket } from "../sandbox/settled-network.ts";
import type { VantaUpstream } from "./networks/compose-vanta.ts";
import { runSandbox, type SandboxedService, type SandboxParts } from "./run-sandbox.ts";
import type { SandboxSettings, StartSandbox } from "./running-service.ts";
import { type ComposedService, composeService } from "./service.ts";

/** The key is fixed: a sandbox protects no money, and its folder must open at every start. */
const MASTER_KEY = createHash("sha256").update("sandbox").digest();
const SANDBOX_MASTER_KEYS: MasterKeys = {
  current: { version: 1, key: MASTER_KEY },
  byVersion: new Map([[1, MASTER_KEY]]),
};

/** Private addresses are allowed, so that receivers on this machine can be tried without a certificate. */
const ANY_ADDRESS = { ports: new Set(SETTINGS.webhookPorts.fallback), allowsPrivate: true };

/** Starts the whole service with a market and a clock that the caller controls. @rule D8.sandbox */
export const startSandbox: StartSandbox = async (settings) => {
  const catalogue = await loadCatalogue(settings.catalogue ?? null);
  const programs = await loadPrograms(settings.programs ?? null);
  const { writeLog: write } = settings;
  const log = openLog("error", write === undefined ? {} : { write });
  return runSandbox({
    ...settings,
    onFault: (cause) => log.error({ err: cause }, "fault"),
    compose: (parts) => compose(parts, { ...namesOf(settings), catalogue, programs, log }),
  });
};

function namesOf({
  brand = SETTINGS.brand.fallback,
  networkName = SETTINGS.networkName.fallback,
}: SandboxSettings): SandboxNames {
  return { brand, networkName };
}

async function compose(
  parts: SandboxParts,
  given: SandboxNames & {
    readonly catalogue: Catalogue;
    readonly programs: ProgramFile;
    readonly log: ReturnType<typeof openLog>;
  },
): Promise<SandboxedService> {
  const { database, clock, chance, faults, port } = parts;
  const databases = createShards([database]);
  const { log } = given;
  const instruments = await adoptCatalogue(databases, given.catalogue.instruments, clock.now());
  const catalogue = { ...given.catalogue, instruments };
  const board = createQuoteBoard("given");
  await board.restore(createQuoteStore(database), clock.now());
  await storePrograms(given.programs, { database, clock });
  await upgradeStates({ databases: databases.all, instruments, log });
  const intake = createQuoteIntake({
    epoch: await nextEpoch(databases.all),
    instruments,
    // Quotes of the control plane are never outliers.
    outliers: null,
    bus: createLocalBus(),
    known: board.quotes,
  });
  const composed: ComposedService = composeService({
    ...given,
    catalogue,
    databases,
    clock,
    chance,
    // Timeouts run in real time, independent of the sandbox's clock.
    timer: systemTimer,
    networkTimeoutMs: parts.networkTimeoutMs,
    board,
    candles: boardCandles(board),
    intake,
    masterKeys: SANDBOX_MASTER_KEYS,
    operatorToken: parts.operatorToken,
    webhooks: {
      rules: { operator: ANY_ADDRESS, owner: ANY_ADDRESS },
      ownListeners: parts.ownListeners,
      wrapSender: (sender) => withFaultyReceivers(sender, faults, systemTimer),
    },
    accountsPerOwner: null,
    prices: { name: "by hand", warnings: () => [] },
    vanta: await vantaOf(parts),
    wrapNetwork: (network) =>
      withFaults(
        withSettledMarket(network, () => composed.engine.market.whenSettled()),
        faults,
      ),
    wrapSecrets: (box) => withFaultySecrets(box, faults),
    wrapWrite: withLostAnswers(faults),
  });
  const { engine, keyring, accounts, app, vanta, webhooks, repeats } = composed;
  const housekeeping = createHousekeeping({ clock, timer: systemTimer, log });
  // The cache keeps opened secrets in memory, where the fault of secrets would not affect them.
  faults.onChange(() => keyring.cache.clear());
  await engine.restore();
  await app.listen({ host: "127.0.0.1", port });
  housekeeping.start([
    ...embeddedMaintenanceJobs(database),
    ...webhooks.jobs,
    ...repeats.jobs,
    ...(vanta?.jobs ?? []),
  ]);
  return {
    baseUrl: `http://127.0.0.1:${listenerPort(app.server.address())}`,
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
    programs: given.programs.programs,
    links: vanta?.links ?? null,
    async stop() {
      await webhooks.stop();
      await housekeeping.stop();
      await app.close();
      await engine.market.whenSettled();
      await engine.recordStops();
      await engine.executor.idle();
      await vanta?.stop();
    },
  };
}

/** Loads the code of linked accounts, which is needed only with a validator. */
async function vantaOf({ validator, clock }: SandboxParts): Promise<VantaUpstream | null> {
  if (validator === null) return null;
  const { openVanta } = await import("./networks/open-vanta.ts");
  return openVanta(validator, { clock, timer: systemTimer });
}
