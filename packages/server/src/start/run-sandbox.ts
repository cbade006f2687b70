import type { FirstKey, KeyDesk } from "@propgate/access";
import {
  type Chance,
  type Clock,
  cleanUpAfter,
  createSeededChance,
  type ListenAddress,
  listenerPort,
  listenOrigin,
  systemChance,
  systemClock,
} from "@propgate/base";
import { type AccountId, type UnixMs, unixMs } from "@propgate/core";
import {
  type ActionDesk,
  type Database,
  type DueWork,
  type NonceMerger,
  openDatabase,
  type PayoutDesk,
  readJournal,
} from "@propgate/ledger";
import {
  createPushReader,
  createQuoteStore,
  type MarketLoop,
  type Programs,
  type QuoteBoard,
} from "@propgate/market";
import type { WebhookLanes } from "@propgate/push";
import type { SubaccountLinks } from "@propgate/vanta";
import type { AccountDesk } from "../calls/operator/operator-services.ts";
import { createControlPlane } from "../sandbox/control-plane.ts";
import type { ControlServices } from "../sandbox/control-services.ts";
import { createFaultBoard, type FaultBoard } from "../sandbox/faults.ts";
import { linkNewSubaccount } from "../sandbox/new-subaccount.ts";
import { createSandboxClock } from "../sandbox/sandbox-clock.ts";
import { createSandboxMemory, type SandboxMemory } from "../sandbox/sandbox-memory.ts";
import type { SandboxValidator } from "../sandbox/sandbox-validator.ts";
import { createTimeMachine } from "../sandbox/time-machine.ts";
import { openFirstAccount } from "./first/first-account.ts";
import type { RunningSandbox, SandboxSettings } from "./running-service.ts";

/** The sandbox's replacements for the outside world. */
export interface SandboxParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Port of the public API; 0 picks a free port. */
  readonly port: number;
  /** How long the network may take for one call, in real time. */
  readonly networkTimeoutMs: number;
  /** Switches on faults of the trading network, and of the decryption of secrets. */
  readonly faults: FaultBoard;
  /** The validator behind it; null when there is none. */
  readonly validator: SandboxValidator | null;
  /** Random: it does not depend on the seed. */
  readonly operatorToken: string;
  /** The listener of the control plane, once it is open. */
  readonly ownListeners: () => readonly ListenAddress[];
}

/**
 * The whole service on those parts, without a price source or timers. Its board and market have loaded the
 * database's state.
 */
export interface SandboxedService {
  readonly baseUrl: string;
  readonly board: QuoteBoard;
  readonly market: MarketLoop;
  readonly due: DueWork;
  readonly actions: Pick<ActionDesk, "announced">;
  readonly carryOutActions: () => Promise<unknown>;
  readonly nonces: NonceMerger;
  readonly webhooks: Pick<WebhookLanes, "settled" | "nextRetryMs">;
  readonly accounts: AccountDesk;
  readonly payouts: PayoutDesk;
  readonly keys: KeyDesk;
  readonly instruments: Parameters<typeof createControlPlane>[0]["services"]["instruments"];
  /** The programs that it sells from its start. */
  readonly programs: Programs;
  /** Links subaccounts of the validator; null when there is none. */
  readonly links: SubaccountLinks | null;
  /** Answers open requests and closes the listener, but not the database. */
  stop(): Promise<void>;
}

export interface SandboxOptions extends SandboxSettings {
  readonly compose: (parts: SandboxParts) => Promise<SandboxedService>;
  readonly onFault: (cause: unknown) => void;
}

const JOURNAL_LINES = 1_000;
const TOKEN_BYTES = 24;
const HOST = "127.0.0.1";

function newToken(): string {
  return Buffer.from(systemChance.bytes(TOKEN_BYTES)).toString("base64url");
}

/** Starts the whole service with a market and a clock that the caller controls. @rule D8.sandbox decides */
export async function runSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const database = await openDatabase({ databaseUrl: null, dataDir: options.dataDir });
  try {
    return await runOn(database, options);
  } catch (cause) {
    throw await cleanUpAfter(cause, () => database.close());
  }
}

async function runOn(database: Database, options: SandboxOptions): Promise<RunningSandbox> {
  const memory = createSandboxMemory(database);
  const startMs = (await memory.clockMs()) ?? firstMs(options);
  await memory.saveClock(startMs);
  const clock = createSandboxClock({ mode: options.clock, startMs, pace: systemClock });
  // Each start has another seed, or a restarted sandbox would repeat its ids.
  const chance = createSeededChance(`${options.seed}:${await memory.countStart()}`);
  const faults = createFaultBoard();
  const { port, networkTimeoutMs, validator = null } = options;
  const operatorToken = await memory.operatorToken(newToken());
  const own: ListenAddress[] = [];
  const outside = { port, networkTimeoutMs, validator, operatorToken, ownListeners: () => own };
  const service = await options.compose({ database, clock, chance, faults, ...outside });
  const { board, market, due, nonces, webhooks, accounts, payouts, keys, instruments } = service;
  const { programs } = service;

  const time = createTimeMachine({
    clock,
    due,
    actions: service.actions,
    carryOutActions: service.carryOutActions,
    nonces,
    market,
    webhooks,
    saveClock: (atMs) => memory.saveClock(atMs),
  });
  const token = newToken();
  const give = async (quotes: Parameters<MarketLoop["give"]>[0]) => {
    const verdicts = await market.give(quotes);
    // Due work that waited for one of these prices.
    await due.runDue();
    await market.settled();
    await memory.saveClock(clock.now());
    await board.save(createQuoteStore(database));
    return verdicts;
  };
  const linked = linkedOf(options, service);
  const plane = createControlPlane({
    token,
    onFault: options.onFault,
    services: {
      clock,
      time,
      instruments,
      give,
      push: createPushReader({ instruments, clock }),
      accounts,
      payouts,
      keys,
      faults,
      quotes: board.quotes,
      journal: (id) => wholeJournal(database, id),
      linked,
    },
  });
  const stopServing = async (): Promise<void> => {
    // An order that hangs by a fault would keep the listener open forever.
    faults.set({ orders: "ok" });
    await plane.close();
    await service.stop();
  };
  try {
    await plane.listen({ host: HOST, port: 0 });
    const control = { host: HOST, port: listenerPort(plane.server.address()) };
    own.push(control);
    const first = await firstKey({ memory, accounts, keys, programs });
    return {
      ready: {
        baseUrl: service.baseUrl,
        controlUrl: listenOrigin(control),
        controlToken: token,
        ...first,
        ...(linked === null ? {} : await firstLinked(linked, keys)),
        ...(options.operator === true ? { operatorUrl: service.baseUrl, operatorToken } : {}),
      },
      async stop() {
        await stopServing();
        await memory.saveClock(clock.now());
        await database.close();
      },
    };
  } catch (cause) {
    throw await cleanUpAfter(cause, stopServing);
  }
}

function firstMs({ startMs }: SandboxSettings): UnixMs {
  return startMs === null ? systemClock.now() : unixMs(startMs);
}

/** Opens the first account once per folder. */
async function firstKey(options: {
  readonly memory: SandboxMemory;
  readonly accounts: AccountDesk;
  readonly keys: KeyDesk;
  readonly programs: Programs;
}): Promise<FirstKey> {
  const known = await options.memory.first();
  if (known !== null) return known;
  const first = await openFirstAccount(options);
  if ("refused" in first) throw new Error(`the first account: ${first.refused}`);
  await options.memory.saveFirst(first);
  return first;
}

function linkedOf(
  { validator }: SandboxOptions,
  { links }: SandboxedService,
): ControlServices["linked"] {
  return validator === undefined || links === null ? null : { validator, links };
}

const LINKED_SIZE = 100_000;

/** Links an account at the validator and creates its key. */
async function firstLinked(
  linked: NonNullable<ControlServices["linked"]>,
  keys: KeyDesk,
): Promise<Pick<RunningSandbox["ready"], "linkedAccountId" | "linkedKeyId" | "linkedSecret">> {
  const { accountId } = await linkNewSubaccount(linked, { size: LINKED_SIZE, ownerId: "owner-1" });
  const made = await keys.create({ accountId, scopes: ["read", "place"] });
  if (made === null) throw new Error("broken invariant: a new account has no keys");
  const { key, secret } = made;
  return { linkedAccountId: accountId, linkedKeyId: key.keyId, linkedSecret: secret };
}

async function wholeJournal(database: Database, id: AccountId): ReturnType<typeof readJournal> {
  const lines: Awaited<ReturnType<typeof readJournal>>[number][] = [];
  for (;;) {
    const afterSequence = lines.at(-1)?.sequence ?? 0;
    const page = await readJournal(database, {
      accountId: id,
      afterSequence,
      limit: JOURNAL_LINES,
    });
    lines.push(...page);
    if (page.length < JOURNAL_LINES) return lines;
  }
}
