import type { Chance, Clock, Timer } from "@propgate/base";
import type { OrderResult } from "@propgate/contract";
import {
  type AccountId,
  type Direction,
  type OrderCommand,
  orderUuid,
  type PairFinder,
  type PairId,
  pairId,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { LinkedAccountStore, UpstreamOrderStore } from "@propgate/ledger";
import {
  type OrderAnswer,
  orderCommand,
  type Rejection,
  rejectionOfRefusal,
  type SentOrder,
} from "@propgate/wire";
import type { PairBook } from "../desk/pair-book.ts";
import type { Gateway } from "../upstream/port.ts";
import { type ObservedAccountBefore, readyCommand } from "./about-open.ts";
import {
  type Acceptance,
  type AnswerJudgement,
  type CleanText,
  judgeSubmission,
} from "./answer/gateway-answer.ts";
import {
  acceptedEnding,
  NOT_REACHED_ENDING,
  nothingToFlattenEnding,
  type OrderEnding,
  type OrderInFlight,
  refusedEnding,
  storedOrderEnd,
} from "./fate/ending.ts";
import { openItemsOf, pendingOrders } from "./fate/found-order.ts";
import { createFateFinder, type FateFinder, secondsSince } from "./fate/order-fate.ts";
import {
  createObservedAccountReader,
  type LinkedAccountReader,
  type ObservedAccountReader,
  type ReadBefore,
} from "./fate/sight.ts";
import { createOrderLeases, type OrderLeases } from "./order-leases.ts";
import { createOrderSlots, type OrderSlots } from "./order-slots.ts";
import { ORDER_SLOT_LIMITS, ORDER_TIMES, type OrderTimes } from "./order-times.ts";
import { requestOrderUuid } from "./order-uuid.ts";
import type { SignedRequest } from "./signed-request.ts";
import { hasOwnId, kindOf, parseStoredOrder, storedOrderText } from "./stored-order.ts";
import { type SubmitBody, toSubmitBody } from "./submit-body.ts";

/** Sends the orders of linked accounts, each at most once, and finds the end of each. */
export interface OrderDesk {
  /**
   * Places an order that was signed with a key. The answer is `unknownFate` while its end is not known.
   * @rule S4.2.fields D9.receipts
   */
  place(accountId: AccountId, sent: SentOrder, request: SignedRequest): Promise<OrderAnswer>;
  /** Closes all positions (FLAT_ALL) for the account's owner. */
  flatten(accountId: AccountId): Promise<Flattened>;
  /** Finds the ends of orders whose processes have stopped. It is a job, called every few seconds. */
  takeOver(): Promise<void>;
  health(): Promise<OrderHealth>;
  /** Sends no more orders, and waits a short time for the calls under way. Orders without an end stay `sending`. */
  stop(): Promise<void>;
}

/** The result of closing all positions of an account for its owner. */
export type Flattened =
  | { readonly ok: true; readonly result: OrderResult }
  | { readonly ok: false; readonly rejection: Rejection };

/** The state of orders on their way to the network, for the operator. */
export interface OrderHealth {
  /** The number of orders without an end, of all processes. */
  readonly sending: number;
  readonly oldestSendingMs: number | null;
  /** The number of orders that this process is placing. */
  readonly callsInFlight: number;
  /** The time since which the gateway has refused this service's key; null while it accepts the key. */
  readonly keyRefusedSinceMs: number | null;
}

export interface OrderDeskOptions {
  readonly gateway: Pick<Gateway, "submit" | "status">;
  readonly store: UpstreamOrderStore;
  readonly accounts: Pick<LinkedAccountStore, "find" | "records" | "recordChange">;
  readonly readings: LinkedAccountReader;
  readonly pairs: PairBook;
  /** Removes keys and hosts from the network's texts. */
  readonly clean: CleanText;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly chance: Chance;
  /** The name of this process among those that share the database. */
  readonly leaseHolder: string;
  readonly onFault: (cause: unknown) => void;
  readonly times?: Partial<OrderTimes>;
}

/** The options of the desk, and the state that its placements share. */
interface PlacementContext extends Omit<OrderDeskOptions, "times"> {
  readonly times: OrderTimes;
  readonly pairNames: () => Promise<PairFinder>;
  readonly sight: ObservedAccountReader;
  readonly room: OrderSlots;
  readonly fates: FateFinder;
  readonly leases: OrderLeases;
  readonly state: { isStopping: boolean; keyRefusedSinceMs: number | null };
}

/** An order before it is sent. */
interface OrderIntent {
  readonly accountId: AccountId;
  readonly request: SignedRequest | null;
  readonly command: OrderCommand;
  readonly legs: SentOrder["legs"];
}

const TAKEOVERS_MAX = 50;

export function createOrderDesk(options: OrderDeskOptions): OrderDesk {
  const times = { ...ORDER_TIMES, ...options.times };
  // While the pairs are not known, a name goes to the network as it was sent.
  const pairNames = async () => (await options.pairs.read())?.names ?? pairId;
  const sight = createObservedAccountReader({ ...options, pairNames });
  const leases = createOrderLeases({ ...options, times });
  const desk: PlacementContext = {
    ...options,
    times,
    pairNames,
    sight,
    room: createOrderSlots(options.timer, ORDER_SLOT_LIMITS),
    leases,
    fates: createFateFinder({ ...options, times, sight, leases }),
    state: { isStopping: false, keyRefusedSinceMs: null },
  };
  const underWay = new Set<Promise<unknown>>();
  const watched = <Value>(work: Promise<Value>): Promise<Value> => {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  };
  return {
    place: (accountId, sent, request) => watched(placeSigned(desk, { accountId, sent, request })),
    flatten: (accountId) => watched(flattenAll(desk, accountId)),
    takeOver: () => takeOver(desk),
    async health() {
      const { count, oldestCreatedAtMs } = await desk.store.countSending();
      return {
        sending: count,
        oldestSendingMs: oldestCreatedAtMs,
        callsInFlight: desk.room.usedSlots(),
        keyRefusedSinceMs: desk.state.keyRefusedSinceMs,
      };
    },
    async stop() {
      desk.state.isStopping = true;
      await waitAtMost(desk, Promise.allSettled(underWay));
      await desk.fates.stop();
      leases.stop();
    },
  };
}

/** Resolves when the work is done, or when the maximum time for it has passed. */
function waitAtMost({ timer, times }: PlacementContext, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timer.after(times.drainMs, resolve);
    void work.then(() => {
      cancel();
      resolve();
    });
  });
}

async function placeSigned(
  desk: PlacementContext,
  order: {
    readonly accountId: AccountId;
    readonly sent: SentOrder;
    readonly request: SignedRequest;
  },
): Promise<OrderAnswer> {
  const { accountId, sent, request } = order;
  const newUuid = () => requestOrderUuid(request);
  const command = orderCommand(sent.order, { pairOf: await desk.pairNames(), newUuid });
  const placed = await place(desk, { accountId, request, command, legs: sent.legs });
  return placed.ok
    ? { ok: true, json: placed.rendered.sent }
    : { ok: false, rejection: placed.rejection };
}

async function flattenAll(desk: PlacementContext, accountId: AccountId): Promise<Flattened> {
  const command = { type: "flatten", target: "all", pair: null } as const;
  const placed = await place(desk, { accountId, request: null, command, legs: "topLevel" });
  return placed.ok
    ? { ok: true, result: placed.result }
    : { ok: false, rejection: placed.rejection };
}

type PlacementResult =
  | Extract<OrderEnding, { ok: true }>
  | { readonly ok: false; readonly rejection: Rejection };

const NETWORK_DOWN: PlacementResult = { ok: false, rejection: { error: "networkDown" } };
const UNKNOWN_FATE: PlacementResult = { ok: false, rejection: { error: "unknownFate" } };

async function place(desk: PlacementContext, intent: OrderIntent): Promise<PlacementResult> {
  const account = await desk.accounts.find(intent.accountId);
  if (account === null) return { ok: false, rejection: { error: "accountNotFound" } };
  if (account.status === "closed") {
    return { ok: false, rejection: rejectionOfRefusal({ code: "accountClosed" }, intent) };
  }
  const unlisted = await unlistedFilter(desk, intent.command);
  if (unlisted !== null) {
    return {
      ok: false,
      rejection: rejectionOfRefusal({ code: "unknownPair", pair: unlisted }, intent),
    };
  }
  const leave = desk.state.isStopping ? null : await desk.room.acquire(intent.accountId);
  if (leave === null) return NETWORK_DOWN;
  try {
    return await placeNow(desk, intent, account.subaccountId);
  } finally {
    leave();
  }
}

/**
 * The pair of a LIMIT_CANCEL or FLAT_ALL, when the network does not list it; else null. For a misspelt pair the network
 * would find no order and answer with success, while all orders and positions stay.
 */
async function unlistedFilter(
  { pairs }: PlacementContext,
  command: OrderCommand,
): Promise<PairId | null> {
  if (command.type !== "cancelOrders" && command.type !== "flatten") return null;
  const { pair } = command;
  return pair !== null && (await pairs.read())?.find(pair) === null ? pair : null;
}

async function placeNow(
  desk: PlacementContext,
  intent: OrderIntent,
  subaccountId: number,
): Promise<PlacementResult> {
  const { clock, times, store, leaseHolder, leases } = desk;
  const sight = await readAccountBefore(desk, intent);
  const ready = readyCommand(intent.command, sight);
  if (ready.kind === "unread") return NETWORK_DOWN;
  if (ready.kind === "refused") {
    return { ok: false, rejection: rejectionOfRefusal(ready.refusal, intent) };
  }
  const command = ready.sent;
  const made = toSubmitBody(command, {
    subaccountId,
    legDirection: legDirection(command, sight),
    legIds: ready.legIds,
  });
  if (!made.ok) return made;
  const order = newOrder(desk, { ...intent, command: ready.kept }, sight);
  const sentUntilMs = unixMs(clock.now() + times.callMs);
  const begun = await store.begin(order, {
    holder: leaseHolder,
    forMs: times.leaseMs,
    sentUntilMs,
  });
  if (begun === "known") return UNKNOWN_FATE;
  if (begun === "notCarriedOut") return { ok: false, rejection: { error: "notCarriedOut" } };
  leases.hold(order.orderUuid);
  const about = { order, body: made.body, sight, sentUntilMs, trace: intent.request?.trace };
  const { ending, accepted } = isEmptyFlatten(command)
    ? { ending: nothingToFlattenEnding(), accepted: null }
    : await sendAndFindEnding(desk, about);
  if (ending !== null) {
    const stored = await storeEnding(desk, order, ending);
    if (stored !== "failed") leases.release(order.orderUuid);
    if (stored === "stored") return ending;
    // Another process has taken the order over and stored its end, so only the receipt has the fate.
    if (stored === "endedBefore") return UNKNOWN_FATE;
  }
  desk.fates.follow({ order, sentUntilMs, ending, accepted });
  return UNKNOWN_FATE;
}

const UNREAD_ACCOUNT: ReadBefore = { readings: null, isOfNow: false };

/** The account before the order. Only commands about open orders and positions need a reading of it. */
async function readAccountBefore(
  { sight, pairs, pairNames }: PlacementContext,
  { accountId, command }: OrderIntent,
): Promise<ObservedAccountBefore> {
  const isAboutOpen = !hasOwnId(command) || command.type === "placeBracket";
  return {
    ...(isAboutOpen ? await sight.before(accountId) : UNREAD_ACCOUNT),
    pairs: await pairs.read(),
    pairOf: await pairNames(),
  };
}

/** True for a FLAT_ALL of a pair without an open position. */
function isEmptyFlatten(command: OrderCommand): boolean {
  return command.type === "flatten" && command.target !== "all" && command.target.length === 0;
}

function legDirection(
  command: OrderCommand,
  { readings, pairOf }: ObservedAccountBefore,
): Direction {
  if (readings === null) return "long";
  const order = command.type === "editOrder" ? command.replacement : command;
  const leg =
    order.type === "editLeg"
      ? pendingOrders(readings).find(({ uuid }) => uuid === order.orderUuid)
      : undefined;
  const position = Object.values(readings.positions).find(
    ({ pairDisplay }) => pairOf(pairDisplay) === order.pair,
  );
  return (leg?.type ?? position?.direction) === "SHORT" ? "short" : "long";
}

function newOrder(
  { clock, chance }: PlacementContext,
  { accountId, request, command, legs }: OrderIntent,
  { readings, pairOf }: ObservedAccountBefore,
): OrderInFlight {
  const before = hasOwnId(command) || readings === null ? null : openItemsOf({ readings, pairOf });
  const stored = { command, legs, before };
  return {
    orderUuid: request === null ? orderUuid(chance.uuid()) : requestOrderUuid(request),
    accountId,
    request,
    ...kindOf(command),
    command: storedOrderText(stored),
    createdAtMs: clock.now(),
    stored,
  };
}

/** The end of an order, as far as the network's answer shows it. */
interface AnswerOutcome {
  /** The end of the order; null while its fate is unknown. */
  readonly ending: OrderEnding | null;
  /** The network's acceptance; null when it gave none. */
  readonly accepted: Acceptance | null;
}

const UNANSWERED: AnswerOutcome = { ending: null, accepted: null };

function endedBy(ending: OrderEnding): AnswerOutcome {
  return { ending, accepted: null };
}

/** Sends the order once, and finds its end from the answer. */
async function sendAndFindEnding(
  desk: PlacementContext,
  about: {
    readonly order: OrderInFlight;
    readonly body: SubmitBody;
    readonly sight: ObservedAccountBefore;
    readonly sentUntilMs: UnixMs;
    readonly trace: SignedRequest["trace"];
  },
): Promise<AnswerOutcome> {
  const { order, body, sight } = about;
  const { gateway, clock, clean } = desk;
  // A process that was paused until the deadline must not send the order, because another process may already have
  // decided its fate.
  const leftMs = about.sentUntilMs - clock.now();
  if (leftMs <= 0) return endedBy(NOT_REACHED_ENDING);
  try {
    const answer = await gateway.submit(body, leftMs, about.trace);
    const assetClass = sight.readings?.info.assetClass ?? null;
    const judgement = judgeSubmission(answer, { ...order.stored, assetClass }, clean);
    noteKeyRefusal(desk, judgement);
    switch (judgement.kind) {
      case "accepted": {
        const { accepted } = judgement;
        const answeredAtMs = clock.now();
        const ending = await acceptedEnding(order, {
          accepted,
          seconds: secondsSince(order.createdAtMs, answeredAtMs),
          readAccountAfter: () => desk.sight.after(order.accountId, answeredAtMs),
        });
        return { ending, accepted };
      }
      case "refused":
        return endedBy(refusedEnding(judgement.rejection));
      case "notTaken":
        return endedBy(NOT_REACHED_ENDING);
      case "notFound":
      case "unknown":
        return UNANSWERED;
    }
  } catch (cause) {
    desk.onFault(cause);
    return UNANSWERED;
  }
}

function noteKeyRefusal({ state, clock }: PlacementContext, judgement: AnswerJudgement): void {
  if (judgement.kind === "unknown") return;
  const isRefused = judgement.kind === "notTaken" && judgement.keyRefused;
  state.keyRefusedSinceMs = isRefused ? (state.keyRefusedSinceMs ?? clock.now()) : null;
}

async function storeEnding(
  { store, clock, onFault }: PlacementContext,
  order: OrderInFlight,
  ending: OrderEnding,
): Promise<"stored" | "endedBefore" | "failed"> {
  try {
    return (await store.end(storedOrderEnd(order, ending, clock.now()))) ? "stored" : "endedBefore";
  } catch (cause) {
    onFault(cause);
    return "failed";
  }
}

async function takeOver(desk: PlacementContext): Promise<void> {
  const { store, leaseHolder, times, fates, leases, onFault } = desk;
  const limit = Math.min(TAKEOVERS_MAX, fates.freeSlots());
  if (limit === 0 || desk.state.isStopping) return;
  for (const row of await store.takeOver(leaseHolder, times.leaseMs, limit)) {
    leases.hold(row.orderUuid);
    try {
      const stored = parseStoredOrder(row.command);
      const sentUntilMs = row.sentUntilMs ?? unixMs(row.createdAtMs + times.callMs);
      fates.follow({ order: { ...row, stored }, sentUntilMs, ending: null, accepted: null });
    } catch (cause) {
      onFault(cause);
    }
  }
}
