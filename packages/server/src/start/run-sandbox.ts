import { type FirstKey, generateOperatorToken, type KeyDesk } from "@propgate/access";
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
  readNewestLineTime,
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

/** The parts of a service that the sandbox replaces or chooses. */
export interface SandboxParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  /** The port of the public API; 0 chooses a free port. */
  readonly port: number;
  /** How long the network may take for one call, in real time. */
  readonly networkTimeoutMs: number;
  /**
   * The board of the faults that are switched on: faults of the network, of secrets, of webhooks and of the operator's
   * writes.
   */
  readonly faults: FaultBoard;
  /** The validator behind the sandbox; null when there is none. */
  readonly validator: SandboxValidator | null;
  /** The root token of the operator, which is random and does not depend on the seed. */
  readonly operatorToken: string;
  /** The listener of the control plane; empty before it is open. */
  readonly ownListeners: () => readonly ListenAddress[];
}

/**
 * The whole service on the parts of a sandbox, without a price source and without jobs that do due work. Its board and
 * market have loaded the state of the database.
 */
export interface SandboxedService {
  readonly baseUrl: string;
  readonly board: QuoteBoard;
  readonly market: MarketLoop;
  readonly due: DueWork;
  readonly actions: Pick<ActionDesk, "announced">;
  readonly carryOutActions: () => Promise<unknown>;
  readonly nonces: NonceMerger;
  readonly webhooks: Pick<WebhookLanes, "waitUntilSettled" | "nextRetryMs">;
  readonly accounts: AccountDesk;
  readonly payouts: PayoutDesk;
  readonly keys: KeyDesk;
  readonly instruments: Parameters<typeof createControlPlane>[0]["services"]["instruments"];
  /** The programs that the service sells from its start. */
  readonly programs: Programs;
  /** The desk that links subaccounts of the validator; null when there is no validator. */
  readonly links: SubaccountLinks | null;
  /** Answers open requests and closes the listener, but not the database. */
  stop(): Promise<void>;
}

/** The settings of a sandbox, with the function that composes its service. */
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

/**
 * Starts the whole service with a market and a clock that the caller controls. A data folder that a sandbox has used
 * before is continued. @rule D8.sandbox decides
 */
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
  const continuedAtMs = await readReachedMs(database, memory);
  const startMs = continuedAtMs ?? firstMs(options);
  await memory.saveClock(startMs);
  const clock = createSandboxClock({ mode: options.clock, startMs, pace: systemClock });
  // Each start has another seed, because a restarted sandbox would otherwise repeat its ids.
  const chance = createSeededChance(`${options.seed}:${await memory.countStart()}`);
  const faults = createFaultBoard();
  const { port, networkTimeoutMs, validator = null } = options;
  // The sandbox's clock may stand still. Then the callers of an IP network that has sent too many wrong tokens would be
  // rejected forever. A token in the form of a generated token is checked even then.
  const operatorToken = await memory.operatorToken(generateOperatorToken(systemChance));
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
  const give = async (quotes: Parameters<MarketLoop["publishOperatorQuotes"]>[0]) => {
    const verdicts = await market.publishOperatorQuotes(quotes);
    // Does the due work that has waited for one of these prices.
    await due.runDue();
    await market.whenSettled();
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
      timeMachine: time,
      instruments,
      publish: give,
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
    // An order that hangs because of a fault would keep the listener open forever.
    faults.set({ orders: "ok" });
    await plane.close();
    await service.stop();
  };
  try {
    await plane.listen({ host: HOST, port: 0 });
    const control = { host: HOST, port: listenerPort(plane.server.address()) };
    own.push(control);
    const first = await openFirstKey({ memory, accounts, keys, programs });
    return {
      ready: {
        baseUrl: service.baseUrl,
        controlUrl: listenOrigin(control),
        controlToken: token,
        ...first,
        ...(linked === null ? {} : await openFirstLinked(linked, keys)),
        ...(options.operator === true ? { operatorUrl: service.baseUrl, operatorToken } : {}),
      },
      continuedAtMs,
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

/**
 * The time that an earlier run has reached; null on the first start. The events of a killed run may be later than its
 * saved clock, because a clock that runs by itself is not saved all the time. @rule D8.sandbox
 */
async function readReachedMs(database: Database, memory: SandboxMemory): Promise<UnixMs | null> {
  const saved = await memory.clockMs();
  const newest = await readNewestLineTime(database);
  return saved === null || newest === null ? saved : unixMs(Math.max(saved, newest));
}

function firstMs({ startMs }: SandboxSettings): UnixMs {
  return startMs === null ? systemClock.now() : unixMs(startMs);
}

/** The first account with its key. A sandbox opens it once for each data folder. */
async function openFirstKey(options: {
  readonly memory: SandboxMemory;
  readonly accounts: AccountDesk;
  readonly keys: KeyDesk;
  readonly programs: Programs;
}): Promise<FirstKey> {
  const known = await options.memory.loadFirst();
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

/** Opens a subaccount at the validator, links an account to it and creates the account's key. */
async function openFirstLinked(
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
