import { type Clock, createSlots, type Timer } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import type { UpstreamOrderStore } from "@propgate/ledger";
import type { Gateway } from "../../upstream/port.ts";
import { type Acceptance, type CleanText, judgeStatus } from "../answer/gateway-answer.ts";
import type { OrderLeases } from "../order-leases.ts";
import { FATE_REQUESTS_MAX, type OrderTimes } from "../order-times.ts";
import { hasOwnId } from "../stored-order.ts";
import {
  acceptedEnding,
  commandEnding,
  type OrderEnding,
  type OrderInFlight,
  refusedEnding,
  storedOrderEnd,
} from "./ending.ts";
import type { ObservedAccountReader } from "./sight.ts";

/** An order whose end is not stored yet. */
export interface UnsettledOrder {
  readonly order: OrderInFlight;
  /** The latest time at which the request with the order ends. */
  readonly sentUntilMs: UnixMs;
  /** The end, when it is known but could not be stored; else null. */
  readonly ending: OrderEnding | null;
  /** The network's acceptance, while no reading of the account has decided what the order did; else null. */
  readonly accepted: Acceptance | null;
}

/**
 * Finds the ends of orders without an answer in the background, and never sends an order again. Only an answer of the
 * network ends an order. The answer that the network does not know the order may change later, so such an order stays
 * `sending`, at any age. After its deadline an order is no longer followed here, so that other orders can be:
 * `takeOver` of the order desk looks for its end again, after waits that grow with the order's age.
 */
export interface FateFinder {
  /**
   * Follows the order, and keeps its lease, which this process holds, until the order has ended or is overdue. When no
   * slot is free, the lease is released and the order is not followed.
   */
  follow(unsettled: UnsettledOrder): void;
  /** How many more orders can be followed. */
  freeSlots(): number;
  /** Ends all waits; orders without an end stay `sending` for the next process. */
  stop(): Promise<void>;
}

export interface FateOptions {
  readonly gateway: Pick<Gateway, "status">;
  readonly store: Pick<UpstreamOrderStore, "end">;
  readonly leases: OrderLeases;
  readonly sight: ObservedAccountReader;
  readonly clean: CleanText;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly times: OrderTimes;
  readonly onFault: (cause: unknown) => void;
}

/** The progress of the search for the end of one order. */
interface Search {
  readonly unsettled: UnsettledOrder;
  ending: OrderEnding | null;
  /**
   * How many times the network has answered that the order is accepted, without a reading of the account that showed
   * what the order did.
   */
  undecidedAcceptances: number;
}

/**
 * After this many acceptances of the order's id, none of which a reading of the account has confirmed, the acceptance
 * alone decides.
 */
const UNDECIDED_MAX = 5;

export function createFateFinder(options: FateOptions): FateFinder {
  const { timer, times, leases, onFault } = options;
  const running = new Map<string, Promise<void>>();
  const waits = new Set<() => void>();
  const slots = createSlots(FATE_REQUESTS_MAX);
  let isStopped = false;
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        waits.delete(end);
        resolve();
      };
      const cancel = timer.after(ms, end);
      waits.add(end);
      if (isStopped) end();
    });
  const run = async (unsettled: UnsettledOrder): Promise<void> => {
    const search: Search = { unsettled, ending: unsettled.ending, undecidedAcceptances: 0 };
    let waitMs = firstWait(options, search);
    let nextMs = times.firstCheckMs;
    while (!isStopped) {
      await wait(waitMs);
      if (isStopped) return;
      nextMs = Math.min(2 * nextMs, times.lastCheckMs);
      waitMs = nextMs;
      try {
        if (await slots.run(() => searchOnce(options, search))) return;
        if (isOverdue(options, search)) return await leaveForLater(options, search);
      } catch (cause) {
        onFault(cause);
      }
    }
  };
  return {
    follow(unsettled) {
      const id = unsettled.order.orderUuid;
      const before = running.get(id);
      if (before === undefined && (isStopped || running.size >= times.fatesMax)) {
        // A later take-over follows the order, when its lease has run out and fewer orders are followed.
        leases.release(id);
        return;
      }
      // The order's previous search may still run when it has released the lease. So a take-over can follow the order
      // again before that search has ended.
      const search = (before ?? Promise.resolve())
        .then(() => {
          leases.hold(id);
          return run(unsettled);
        })
        .finally(() => {
          leases.release(id);
          if (running.get(id) === search) running.delete(id);
        });
      running.set(id, search);
    },
    freeSlots: () => (isStopped ? 0 : Math.max(0, times.fatesMax - running.size)),
    async stop() {
      isStopped = true;
      for (const end of [...waits]) end();
      await Promise.all(running.values());
    },
  };
}

/**
 * The wait before the first search. For an order without an id of its own, whose acceptance and end are not known, it
 * lasts until the order's deadline, because its fate does not show before.
 */
function firstWait({ clock, times }: FateOptions, { unsettled, ending }: Search): number {
  if (ending !== null || unsettled.accepted !== null || hasOwnId(unsettled.order.stored.command)) {
    return times.firstCheckMs;
  }
  return Math.max(times.firstCheckMs, orderDeadline(unsettled, times) - clock.now() + 1);
}

/** The deadline of an order. Until then its request may still be on its way. */
function orderDeadline({ sentUntilMs }: UnsettledOrder, { resolveMs }: OrderTimes): UnixMs {
  return unixMs(sentUntilMs + resolveMs);
}

/**
 * Looks once for the end of the order, and stores it. True when the order has ended, or when another process has taken
 * the order over.
 */
async function searchOnce(options: FateOptions, search: Search): Promise<boolean> {
  const { store, leases, clock } = options;
  const { order } = search.unsettled;
  if (!leases.holds(order.orderUuid)) return true;
  search.ending ??= await findEnding(options, search);
  if (search.ending === null) return false;
  await store.end(storedOrderEnd(order, search.ending, clock.now()));
  return true;
}

/**
 * The end of the order, from the network's status of its id, or for an order without an id of its own from a reading of
 * the account. Null while neither decides, at any age of the order. @rule D13.lastWord decides
 */
async function findEnding(options: FateOptions, search: Search): Promise<OrderEnding | null> {
  return hasOwnId(search.unsettled.order.stored.command)
    ? endingById(options, search)
    : findCommandEnding(options, search.unsettled);
}

async function endingById(options: FateOptions, search: Search): Promise<OrderEnding | null> {
  const { gateway, clean, clock } = options;
  const { order } = search.unsettled;
  const checkedAtMs = clock.now();
  const answer = await gateway.status(order.orderUuid);
  const judgement = judgeStatus(answer, { ...order.stored, assetClass: null }, clean);
  switch (judgement.kind) {
    case "accepted": {
      search.undecidedAcceptances += 1;
      return acceptedEnding(order, {
        accepted: judgement.accepted,
        seconds: secondsSince(order.createdAtMs, clock.now()),
        readAccountAfter: () => options.sight.after(order.accountId, checkedAtMs),
        isFinal: search.undecidedAcceptances >= UNDECIDED_MAX,
      });
    }
    case "refused":
      return refusedEnding(judgement.rejection);
    // An order that the network does not know may still be on its way to it. @rule D13.lastWord
    case "notFound":
    case "notTaken":
    case "unknown":
      return null;
  }
}

/**
 * True when the deadline of the order has passed, its end is not known, and no further readings are about to decide it.
 */
function isOverdue({ clock, times }: FateOptions, search: Search): boolean {
  const { ending, undecidedAcceptances, unsettled } = search;
  const isBeingDecided = undecidedAcceptances > 0 && undecidedAcceptances < UNDECIDED_MAX;
  // Only this process knows that the network has accepted the order, so it searches for longer.
  const untilMs =
    orderDeadline(unsettled, times) + (unsettled.accepted === null ? 0 : times.overdueCheckMs);
  return ending === null && !isBeingDecided && clock.now() > untilMs;
}

/**
 * The wait for the next take-over, as a share of the order's age: the effect of an order of an hour ago is found at
 * most a quarter of an hour late.
 */
const WAIT_SHARE_OF_AGE = 0.25;

/**
 * Stops following an order until a later take-over, so that other orders can be followed. The order may never get an
 * end.
 */
function leaveForLater(
  { leases, clock, times }: FateOptions,
  { unsettled }: Search,
): Promise<void> {
  const { orderUuid, createdAtMs } = unsettled.order;
  const ms = Math.max(times.lastCheckMs, WAIT_SHARE_OF_AGE * (clock.now() - createdAtMs));
  return leases.releaseFor(orderUuid, Math.round(Math.min(ms, times.overdueCheckMs)));
}

async function findCommandEnding(
  { sight, clock, times }: FateOptions,
  unsettled: UnsettledOrder,
): Promise<OrderEnding | null> {
  const { order, accepted } = unsettled;
  const nowMs = clock.now();
  if (accepted !== null) {
    const seconds = secondsSince(order.createdAtMs, nowMs);
    const sightAfter = () => sight.after(order.accountId, nowMs);
    return acceptedEnding(order, { accepted, seconds, readAccountAfter: sightAfter });
  }
  if (nowMs <= orderDeadline(unsettled, times)) return null;
  const now = await sight.after(order.accountId, nowMs);
  return now === null
    ? null
    : commandEnding(order, now, secondsSince(order.createdAtMs, clock.now()));
}

const MS_PER_SECOND = 1000;

/** The time between two moments in seconds; 0 when the second one is earlier. */
export function secondsSince(from: UnixMs, to: UnixMs): number {
  return Math.max(0, to - from) / MS_PER_SECOND;
}
