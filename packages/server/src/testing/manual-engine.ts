import {
  type AccountId,
  type Instruments,
  orderUuid,
  type PairId,
  type TraderCommand,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { systemTimer } from "../../../base/src/clock.ts";
import { type Chance, createSeededChance } from "../../../base/src/random.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import {
  type JournalEntry,
  readJournal,
} from "../../../ledger/src/storage/journal/journal-store.ts";
import { createShards } from "../../../ledger/src/storage/shards/shards.ts";
import { ClockIsWrong } from "../../../ledger/src/trading/barred-executor.ts";
import type { Ownership } from "../../../ledger/src/trading/ownership.ts";
import type { TapeReader } from "../../../market/src/prices/tape/tape.ts";
import { createEngine, type Engine } from "../start/engine.ts";
import { TEST_OWNER, TEST_TERMS } from "./counting-decider.ts";
import { TEST_NOON } from "./counting-network.ts";
import { madeQuoteFlow, type QuoteFlow } from "./made-quote-flow.ts";
import { BTCUSD, quoteAt, SMALL_CATALOGUE } from "./small-market.ts";

/** The real network on a database, with a clock and prices that only the test moves. */
export interface ManualEngine extends Engine {
  now: UnixMs;
  isClockWrong: boolean;
  /** The faults that the engine has reported. */
  readonly faults: readonly unknown[];
  /** Opens a static account of 100,000 USD in its challenge. */
  open(): Promise<AccountId>;
  /** Opens an account as `open` does, which the operator then promotes, so that it earns payouts. */
  openFunded(): Promise<AccountId>;
  /** Gives a quote and waits until the market has settled it. `atMs` is the present time unless given. */
  quote(pair: PairId, bid: number, ask?: number, atMs?: UnixMs): Promise<void>;
  order(account: AccountId, command: TraderCommand): Promise<void>;
  /** The account's journal, from the first line on. */
  journal(account: AccountId): Promise<readonly JournalEntry[]>;
  buy(account: AccountId, pair: PairId, lots: number): Promise<void>;
  /** Buys one bitcoin at 50,000 and sells it at `price`. Two fees of 0.03 % are charged. */
  earn(account: AccountId, price: number): Promise<void>;
  version(account: AccountId): number;
}

export function createManualEngine(
  database: Database,
  given: {
    readonly now?: UnixMs;
    readonly seed?: string;
    readonly instruments?: Instruments;
    readonly chance?: Chance;
    readonly flow?: QuoteFlow;
    readonly tape?: TapeReader;
    /** The accounts that this node decides; all unless given. */
    readonly ownership?: Ownership;
  } = {},
): ManualEngine {
  const chance = given.chance ?? createSeededChance(given.seed ?? "manual engine");
  const instruments = given.instruments ?? SMALL_CATALOGUE;
  const { board, intake } = given.flow ?? madeQuoteFlow(instruments);
  const faults: unknown[] = [];
  const engine = createEngine({
    databases: createShards([database]),
    chance,
    board,
    intake,
    source: "by hand",
    tape: given.tape,
    ownerships: given.ownership && [given.ownership],
    timer: systemTimer,
    instruments,
    clock: { now: () => manual.now },
    isClockWrong: () => manual.isClockWrong,
    barredBy: () => (manual.isClockWrong ? new ClockIsWrong() : null),
    accountsPerOwner: 5,
    networkTimeoutMs: 5_000,
    isAtFault: () => false,
    onFault: (cause) => void faults.push(cause),
  });
  const open = () =>
    engine.accounts.open({ ownerId: TEST_OWNER, terms: TEST_TERMS, provisioned: true });
  const manual: ManualEngine = {
    ...engine,
    now: given.now ?? unixMs(TEST_NOON),
    isClockWrong: false,
    faults,
    open,
    async openFunded() {
      const id = await open();
      await engine.accounts.promote(id);
      return id;
    },
    async quote(pair, bid, ask = bid, atMs = manual.now) {
      await engine.market.publishOperatorQuotes([quoteAt(pair, { bid, ask, atMs })]);
      await engine.market.whenSettled();
    },
    async order(account, command) {
      const placed = await engine.network.carryOut(account, command, { by: "operator" });
      if (!placed.ok) throw new Error(`refused: ${JSON.stringify(placed)}`);
    },
    buy: (account, pair, lots) =>
      manual.order(account, {
        type: "placeMarket",
        orderUuid: orderUuid(chance.uuid()),
        pair,
        direction: "long",
        size: { kind: "quantity", lots },
        legs: [],
        reduceOnly: false,
      }),
    async earn(account, price) {
      await manual.quote(BTCUSD, 50_000);
      await manual.buy(account, BTCUSD, 1);
      await manual.quote(BTCUSD, price);
      await manual.order(account, {
        type: "closePair",
        orderUuid: orderUuid(chance.uuid()),
        pair: BTCUSD,
      });
    },
    journal: (account) =>
      readJournal(database, { accountId: account, afterSequence: 0, limit: 10_000 }),
    version: (account) => engine.cache.get(account)?.version ?? 0,
  };
  return manual;
}
