/** Composes the network of linked accounts; part of the composition root. */

import type { Chance, Clock, Job, Log, Timer } from "@propgate/base";
import type { NetworkHealth } from "@propgate/contract";
import type { Ledger, LinkedAccountStore } from "@propgate/ledger";
import type { SourceWarning } from "@propgate/market";
import {
  type AccountPolls,
  createAccountPolls,
  createAccountPresenter,
  createEquityPoints,
  createFailureLog,
  createLimitReader,
  createLinkDesk,
  createLinkedRecords,
  createOrderDesk,
  createPairBook,
  createParsedReadings,
  createPayoutDesk,
  createPayoutReader,
  createReadingDesk,
  createStoppableGateway,
  createVantaNetwork,
  createVantaReadings,
  type Gateway,
  type OrderDesk,
  type OrderTimes,
  type PairBook,
  type ReadingDesk,
  type SubaccountLinks,
  type Validator,
} from "@propgate/vanta";
import type { LinkedAccountReadings, WireNetwork } from "@propgate/wire";

/** A Vanta validator, and the gateway of the entity whose subaccounts can be linked. */
export interface VantaUpstream {
  /** The entity's hotkey. */
  readonly entity: string;
  readonly validator: Validator;
  readonly gateway: Gateway;
  /** Removes keys and hosts from the network's texts. */
  readonly clean: (text: string) => string;
  /** Time limits of orders that replace those of production, for proofs. */
  readonly orderTimes: Partial<OrderTimes>;
  /**
   * Composes the network on this upstream. It is a method here so that a service without a validator does not load the
   * code.
   */
  compose(options: Omit<VantaOptions, "upstream">): ComposedVanta;
  /** Closes the connections. */
  close(): void;
}

/**
 * The network of linked accounts, and what the rest of the service uses with it: readings, links, health, warnings and
 * jobs.
 */
export interface ComposedVanta {
  readonly network: WireNetwork;
  readonly readings: LinkedAccountReadings;
  readonly links: SubaccountLinks;
  readonly health: () => Promise<NetworkHealth>;
  /** One warning for each pair that accounts hold and the validator does not list. @rule D13.unlistedPair */
  readonly warnings: () => Promise<readonly SourceWarning[]>;
  /** The jobs that poll accounts, and that finish orders of processes which have ended. */
  readonly jobs: readonly Job[];
  /**
   * Begins no further call. Resolves when the calls under way have ended, or when other processes can take over their
   * orders.
   */
  stop(): Promise<void>;
}

export interface VantaOptions
  extends Pick<Ledger, "linkedAccounts" | "upstreamOrders" | "equity" | "newAccountId" | "limits"> {
  readonly upstream: VantaUpstream;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly chance: Chance;
  readonly log: Log;
  readonly onFault: (cause: unknown) => void;
}

const POLL_EVERY_MS = 1_000;
const TAKE_OVER_EVERY_MS = 5_000;

export function composeVanta(options: VantaOptions): ComposedVanta {
  const { upstream, linkedAccounts: store, equity, clock, timer, chance, onFault } = options;
  const { validator } = upstream;
  const parsed = createParsedReadings();
  const points = createEquityPoints(equity);
  // The name of this process in leases.
  const holder = chance.uuid();
  const pairs = createPairBook({ validator, clock, timer, onFault });
  const polls = createAccountPolls({
    store,
    validator,
    limits: createLimitReader({ validator, clock }),
    pairs,
    parsed,
    clock,
    holder,
    failures: createFailureLog(options.log),
    onFault,
    onStored: (id, readings, readAtMs) => points.add(id, readings, readAtMs),
  });
  const desk = createReadingDesk({ store, startPoll: polls.start, parsed, clock, timer });
  const records = createLinkedRecords(store);
  const presenter = createAccountPresenter({
    records,
    pairs,
    limits: options.limits,
    clock,
  });
  const payouts = createPayoutDesk({
    desk,
    store,
    records,
    reader: createPayoutReader({ validator, clock }),
    holder,
    clock,
    onFault,
  });
  const gateway = createStoppableGateway(upstream.gateway);
  const orders = composeOrders(options, {
    gateway,
    store,
    desk,
    polls,
    pairs,
    holder,
  });
  return {
    network: createVantaNetwork({ desk, presenter, pairs, records, payouts, orders }),
    readings: createVantaReadings({ desk, presenter, pairs, records, equity, clock }),
    links: createLinkDesk({
      entity: upstream.entity,
      validator,
      store,
      clock,
      newAccountId: options.newAccountId,
    }),
    health: async () => {
      const [linked, sending] = await Promise.all([store.summary(), orders.health()]);
      const { oldestReadAtMs } = linked;
      return {
        validator: validator.health(),
        gateway: upstream.gateway.health(),
        linkedAccounts: linked.linked,
        failingAccounts: linked.failing,
        oldestReadingAgeMs:
          oldestReadAtMs === null ? null : Math.max(0, clock.now() - oldestReadAtMs),
        keyRefusedSinceMs: sending.keyRefusedSinceMs,
        ordersSending: sending.sending,
        oldestSendingSinceMs: sending.oldestSendingMs,
      };
    },
    warnings: () => unlistedPairs(store, pairs),
    jobs: [
      { name: "linked accounts", everyMs: POLL_EVERY_MS, run: () => desk.pollOldest() },
      { name: "orders on their way", everyMs: TAKE_OVER_EVERY_MS, run: () => orders.takeOver() },
    ],
    async stop() {
      await Promise.all([orders.stop(), desk.stop()]);
      gateway.giveUp();
      upstream.close();
    },
  };
}

/**
 * One warning for each pair that the validator does not list and linked accounts hold, with the number of these
 * accounts. No warning while the validator's list is not known. @rule D13.unlistedPair decides
 */
async function unlistedPairs(
  store: Pick<LinkedAccountStore, "openPairs">,
  pairs: Pick<PairBook, "peek">,
): Promise<readonly SourceWarning[]> {
  const listed = pairs.peek();
  if (listed === null) return [];
  return (await store.openPairs())
    .filter(({ pair }) => listed.find(pair) === null)
    .map(({ pair, accounts }) => ({
      source: "validator",
      reason: "linked accounts have a pair that the validator does not list",
      count: accounts,
      first: pair,
    }));
}

function composeOrders(
  { upstream, upstreamOrders, clock, timer, chance, onFault }: VantaOptions,
  parts: {
    readonly gateway: Gateway;
    readonly store: LinkedAccountStore;
    readonly desk: ReadingDesk;
    readonly polls: Pick<AccountPolls, "readInFull">;
    readonly pairs: PairBook;
    readonly holder: string;
  },
): OrderDesk {
  const { gateway, store, desk, polls, pairs, holder } = parts;
  return createOrderDesk({
    gateway,
    store: upstreamOrders,
    accounts: store,
    readings: {
      async after(accountId, afterMs) {
        polls.readInFull(accountId);
        return (await desk.read({ accountId }, afterMs))?.readings ?? null;
      },
    },
    pairs,
    clean: upstream.clean,
    clock,
    timer,
    chance,
    leaseHolder: holder,
    onFault,
    times: upstream.orderTimes,
  });
}
