import { setTimeout } from "node:timers/promises";
import { requestOrderUuid } from "../../packages/vanta/src/orders/order-uuid.ts";
import type { StandInProcess } from "../../test/stand-in-process.ts";
import type { RecordLookup } from "./draw-orders.ts";
import type { GatewayOrder } from "./gateway-proxy.ts";
import {
  type AcceptedCall,
  type ChangeableItems,
  readStandInAccounts,
  type StandInAccount,
} from "./stand-in-account.ts";
import { LATEST_WORK_MS } from "./submit-faults.ts";
import {
  isFinalReceipt,
  type LinkedTrader,
  type ReceiptFate,
  readAccountList,
  readReceipt,
} from "./trader.ts";
import { accountsWithWrongEvents } from "./wrong-events.ts";

/** An order of a run and its answer. `status` is null when no answer came. */
export interface PlacedOrder {
  readonly trader: LinkedTrader;
  readonly pair: string;
  readonly lookup: RecordLookup;
  /** The orders and positions of the account when an act was sent; null for orders with their own id. */
  readonly before: ChangeableItems | null;
  /** The orders and positions of the account after the fate of the act was known; null for orders with their own id. */
  readonly after: ChangeableItems | null;
  readonly node: number;
  readonly beganAtMs: number;
  /** The time at which the client continued with its next order. */
  readonly endedAtMs: number;
  /** The fault that was prepared for the order; null for none. */
  readonly fault: string | null;
  readonly nonce: string;
  readonly status: number | null;
  /**
   * True when the service answered that it did not accept the order, because it could not reach the gateway or paused
   * its calls.
   */
  readonly isDown: boolean;
}

/** The counts of a run, and the differences between the service and the validator. */
export interface ValidatorFindings {
  readonly fates: Readonly<Record<ReceiptFate["fate"], number>>;
  /** The number of orders whose client got no answer, or a 5xx. */
  readonly unanswered: number;
  /** The number of orders that the service did not send, because it could not reach the gateway or paused its calls. */
  readonly notSent: number;
  readonly settledAfterSeconds: number;
  /**
   * The number of cancels and flattens that had no order or position to end, and that were accepted although they never
   * arrived. The account is the same with and without them, so a client sees no difference.
   */
  readonly nothingToDo: number;
  /** The number of orders of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Orders that the validator has more than once. This list and all lists below must be empty. */
  readonly doubled: readonly string[];
  /** Orders that were sent to the gateway more than once. */
  readonly sentTwice: readonly string[];
  readonly undecided: readonly string[];
  /** Orders with an answer of 200 or 400 whose receipt has another fate. */
  readonly contradicted: readonly string[];
  readonly notAccepted: readonly string[];
  readonly notRejected: readonly string[];
  /** Accepted cancels and flattens whose receipts name other orders or positions than those that ended. */
  readonly wrongClaims: readonly string[];
  /** Accepted orders whose receipts differ from the validator's record. */
  readonly wrongRecords: readonly string[];
  /** Cancels of filled entries that also cancelled legs of these entries. */
  readonly cancelledLegs: readonly string[];
  /** Legs that no client sent. */
  readonly addedLegs: readonly string[];
  readonly differentReads: readonly string[];
  readonly wrongEvents: readonly string[];
}

interface Judged extends PlacedOrder {
  readonly receipt: ReceiptFate | null;
  /** The time at which the same act on this account was sent again; infinite when it was not. */
  readonly untilMs: number;
}

/**
 * How long receipts are read until each is final, in addition to the time that the reads take. A receipt that is
 * pending after that counts as undecided.
 */
const SETTLE_MAX_MS = 180_000;
const BETWEEN_ROUNDS_MS = 500;
/**
 * The receipts that a key is assumed to read in a minute. It is below the budget of a key, because orders whose fate is
 * open use this budget too.
 */
const RECEIPTS_A_MINUTE = 30;
const MINUTE_MS = 60_000;

/** Waits until every receipt is final, and compares answers, receipts, reads and events with the validator. */
export async function inspectValidator(given: {
  readonly placed: readonly PlacedOrder[];
  readonly traders: readonly LinkedTrader[];
  readonly standIn: StandInProcess;
  /** The orders that were sent to the gateway. */
  readonly sent: readonly GatewayOrder[];
  readonly port: number;
}): Promise<ValidatorFindings> {
  const { placed, standIn, sent, port } = given;
  const startedMs = Date.now();
  // After this time no order is on its way to the validator.
  await setTimeout(LATEST_WORK_MS);
  const judged = await untilFinal(given);
  const settledAfterSeconds = Math.round((Date.now() - startedMs) / 1_000);
  const subaccounts = given.traders.map(({ subaccount }) => subaccount);
  const accounts = await readStandInAccounts(standIn, subaccounts);
  const countOf = (one: Judged): number =>
    timesCarriedOut(one, accounts.get(one.trader.subaccount));
  const nonces = (wrong: (one: Judged) => boolean): readonly string[] =>
    judged.filter(wrong).map((one) => `${one.nonce}: ${describeOrder(one)}, ${countOf(one)} times`);
  return {
    fates: countFates(judged),
    unanswered: placed.filter(({ status }) => status === null || status >= 500).length,
    notSent: placed.filter(({ isDown }) => isDown).length,
    settledAfterSeconds,
    doubled: nonces((one) => countOf(one) > 1),
    nothingToDo: judged.filter((one) => isAcceptedWithoutTarget(one) && countOf(one) === 0).length,
    kinds: Object.fromEntries(
      [...Map.groupBy(placed, ({ lookup }) => kindOf(lookup))].map(([kind, all]) => [
        kind,
        all.length,
      ]),
    ),
    sentTwice: nonces((one) => sent.filter((each) => isRequestOf(one, each)).length > 1),
    undecided: nonces(
      (one) =>
        one.receipt === null || (one.receipt.fate === "pending" && isDone(one, countOf(one))),
    ),
    contradicted: nonces(contradicts),
    notAccepted: nonces(
      (one) =>
        one.receipt?.fate === "accepted" &&
        countOf(one) === 0 &&
        !isAcceptedWithoutTarget(one) &&
        !judged.some((other) => hasItsEffect(other, one) && countOf(other) > 0),
    ),
    notRejected: nonces(
      (one) =>
        ["rejected", "unseen"].includes(one.receipt?.fate ?? "") &&
        countOf(one) > 0 &&
        hadSomethingToDo(one),
    ),
    wrongClaims: nonces(
      (one) =>
        hasWrongClaim(one) &&
        (countOf(one) > 0 || !judged.some((other) => hasItsEffect(other, one))),
    ),
    wrongRecords: nonces((one) => hasWrongRecord(one, accounts.get(one.trader.subaccount))),
    cancelledLegs: nonces(cancelledLeg),
    addedLegs: [...accounts.values()].flatMap(addedLegs),
    differentReads: await findDifferentReads(given.traders, accounts, port),
    // This check runs after the reads, because the reads make the service see the last fills.
    wrongEvents: await accountsWithWrongEvents(given.traders, accounts, port),
  };
}

/**
 * Reads every receipt until it is final, or pending for an order that the validator does not have. Gives up after
 * `SETTLE_MAX_MS` and the time that the reads take.
 */
async function untilFinal({
  placed,
  traders,
  standIn,
  port,
}: Pick<
  Parameters<typeof inspectValidator>[0],
  "placed" | "traders" | "standIn" | "port"
>): Promise<readonly Judged[]> {
  const fates = new Map<string, ReceiptFate>();
  const accounts = await readStandInAccounts(
    standIn,
    traders.map(({ subaccount }) => subaccount),
  );
  const isOpen = (one: PlacedOrder): boolean => {
    const fate = fates.get(one.nonce);
    if (isFinalReceipt(fate)) return false;
    const judged = { ...one, receipt: fate ?? null, untilMs: untilMs(one, placed) };
    const count = timesCarriedOut(judged, accounts.get(one.trader.subaccount));
    return fate === undefined || isDone(judged, count);
  };
  const perTrader = [...Map.groupBy(placed, ({ trader }) => trader).values()];
  const minutes = Math.ceil(Math.max(...perTrader.map(({ length }) => length)) / RECEIPTS_A_MINUTE);
  const giveUpAtMs = Date.now() + SETTLE_MAX_MS + minutes * MINUTE_MS;
  for (let round = 0; placed.some(isOpen) && Date.now() < giveUpAtMs; round += 1) {
    for (const { trader, nonce } of placed.filter(isOpen)) {
      const readNonce = `receipt-${round}-${nonce}`;
      const fate = await readReceipt(port, trader, { nonce, readNonce });
      if (fate !== null) fates.set(nonce, fate);
    }
    await setTimeout(BETWEEN_ROUNDS_MS);
  }
  return placed.map((one) => ({
    ...one,
    receipt: fates.get(one.nonce) ?? null,
    untilMs: untilMs(one, placed),
  }));
}

function untilMs(one: PlacedOrder, placed: readonly PlacedOrder[]): number {
  const later = placed.filter((other) => other.beganAtMs > one.beganAtMs && isSameAct(one, other));
  return Math.min(...later.map(({ beganAtMs }) => beganAtMs));
}

/** True when the validator has carried the order out, and its effect can be seen in the account. */
function isDone(one: Judged, count: number): boolean {
  return count > 0 && hadSomethingToDo(one);
}

/**
 * True for a later act of the same kind on the account, whose effect looks like that of the earlier one. Acts have no
 * id at the validator, so the account does not show which of the two had the effect.
 */
function hasItsEffect(later: Judged, { lookup, trader, beganAtMs }: Judged): boolean {
  return (
    lookup.kind === "act" &&
    later.lookup.kind === "act" &&
    later.trader === trader &&
    later.beganAtMs > beganAtMs &&
    later.lookup.execution === lookup.execution
  );
}

function isSameAct(one: PlacedOrder, other: PlacedOrder): boolean {
  return one.trader === other.trader && one.lookup.kind === "act" && nameOf(one) === nameOf(other);
}

/** The kind of the order and the id with which the gateway gets it. An act has the ids of its targets. */
function nameOf({ lookup, trader, nonce }: PlacedOrder): string {
  if (lookup.kind === "act") return `${lookup.execution} ${lookup.target}`;
  const uuid = requestOrderUuid({ keyId: trader.signer.keyId, nonce });
  return `${lookup.kind === "flat" ? "MARKET" : lookup.execution} ${uuid}`;
}

function kindOf(lookup: RecordLookup): string {
  if (lookup.kind === "flat") return "FLAT";
  if (lookup.kind === "entry" || lookup.execution === "LIMIT_EDIT") return lookup.execution;
  const isList = lookup.target.includes(",");
  return `${lookup.execution} ${lookup.target === "ALL" ? "of all" : isList ? "of a list" : "of one"}`;
}

function isRequestOf(one: Judged, each: GatewayOrder): boolean {
  const isNow = each.atMs >= one.beganAtMs && each.atMs < one.untilMs;
  if (each.subaccount !== one.trader.number || !isNow) return false;
  if (one.lookup.kind !== "act") return `${each.execution} ${each.target}` === nameOf(one);
  return each.execution === one.lookup.execution && isTargetOf(one.lookup, each.target);
}

/**
 * True when the ids that were sent belong to the act. A cancel is sent without the entries that are known to have
 * filled.
 */
function isTargetOf(
  { execution, target }: Extract<RecordLookup, { kind: "act" }>,
  sent: string,
): boolean {
  if (execution !== "LIMIT_CANCEL") return sent === target;
  const named = target.split(",");
  return sent.split(",").every((id) => named.includes(id));
}

/**
 * The number of times that the validator has carried out the order. A FLAT is found by its fill, every other order by
 * the content of its call.
 */
function timesCarriedOut(one: Judged, account: StandInAccount | undefined): number {
  const { lookup, pair, trader, nonce } = one;
  if (account === undefined) return 0;
  const isIt = ({ content, atMs, isLegUpdate }: AcceptedCall): boolean => {
    if (lookup.kind === "flat" || isLegUpdate) return false;
    if (content.execution_type !== lookup.execution) return false;
    if (lookup.kind === "entry")
      return content.trade_pair === pair && content[lookup.field] === lookup.is;
    const isNow = atMs >= one.beganAtMs && atMs < one.untilMs;
    return isNow && isTargetOf(lookup, String(content.order_uuid));
  };
  if (lookup.kind !== "flat") return account.accepted.filter(isIt).length;
  const uuid = requestOrderUuid({ keyId: trader.signer.keyId, nonce });
  return account.fills.has(uuid) ? 1 : 0;
}

/** The ids of the orders or positions that a cancel or flatten could end; null for any other order. */
function targetsOf({ lookup, before }: PlacedOrder): readonly string[] | null {
  if (lookup.kind !== "act" || before === null || lookup.execution === "LIMIT_EDIT") return null;
  const there = lookup.execution === "FLAT_ALL" ? before.positions : before.pending;
  return lookup.target === "ALL"
    ? there
    : there.filter((id) => lookup.target.split(",").includes(id));
}

function hadSomethingToDo(one: PlacedOrder): boolean {
  return targetsOf(one)?.length !== 0;
}

function isAcceptedWithoutTarget(one: Judged): boolean {
  return one.receipt?.fate === "accepted" && one.lookup.kind === "act" && !hadSomethingToDo(one);
}

/**
 * True when an accepted cancel or flatten names other orders or positions in its receipt than those that were ended
 * while it was on its way. No other order changed the account meanwhile.
 */
function hasWrongClaim({ lookup, before, after, receipt }: Judged): boolean {
  if (lookup.kind !== "act" || lookup.execution === "LIMIT_EDIT") return false;
  if (before === null || after === null || receipt?.fate !== "accepted") return false;
  const claimed = (receipt.orderUuid ?? "").split(",").filter((id) => id !== "");
  const list = lookup.execution === "FLAT_ALL" ? "flattened" : "cancelled";
  const done = after[list].filter((id) => !before[list].includes(id));
  return claimed.toSorted().join() !== done.toSorted().join();
}

/**
 * True for a cancel of an entry that had filled before, which cancelled a leg of the entry too. The legs have their own
 * ids and must stay.
 */
function cancelledLeg({ lookup, before, after }: Judged): boolean {
  if (lookup.kind !== "act" || lookup.execution !== "LIMIT_CANCEL" || lookup.target === "ALL")
    return false;
  if (before === null || after === null) return false;
  const named = lookup.target.split(",");
  return after.cancelled.some((id) => {
    const [, parent = ""] = LEG.exec(id) ?? [];
    const isNew = !before.cancelled.includes(id) && !named.includes(id);
    return isNew && named.includes(parent) && !before.pending.includes(parent);
  });
}

/**
 * True when an accepted order's receipt differs from the validator's record: in the figures of the fill, or in whether
 * the order has a leg.
 */
function hasWrongRecord(one: Judged, account: StandInAccount | undefined): boolean {
  const { lookup, receipt, status } = one;
  if (lookup.kind === "act" || receipt?.fate !== "accepted") return false;
  const { order, orderUuid } = receipt;
  if (order === null || account === undefined) return true;
  if (lookup.kind === "entry" && lookup.execution !== "MARKET") return order.orderType !== "LONG";
  const fill = account.fills.get(orderUuid ?? "");
  const isOwnLeg = (id: string): boolean => id.startsWith(`${orderUuid}-bracket-`);
  const showsLeg = (order.bracketOrders ?? []).length > 0;
  // A record that was found after the position was closed cannot show a leg that ended with the position.
  const mayHaveEnded = status !== 200 && !account.pendingLegs.some(isOwnLeg);
  const hasLeg = account.legs.some(isOwnLeg) && (showsLeg || !mayHaveEnded);
  return (
    fill === undefined ||
    !order.filled ||
    order.orderType !== fill.type ||
    Math.abs((order.quantity ?? 0) - fill.quantity) > QUANTITY_TOLERANCE ||
    (order.stopLoss !== null) !== hasLeg ||
    showsLeg !== hasLeg
  );
}

const QUANTITY_TOLERANCE = 1e-9;
const LEGS_MAX = 2;
const LEG = /^(.+)-bracket-(\d+)$/;

/**
 * The legs that no client sent. The id of a leg is the id of its BRACKET order, or the id of its entry with an index
 * below the number of legs that were sent.
 */
function addedLegs({ legs, accepted }: StandInAccount): readonly string[] {
  const brackets = new Set(accepted.map(({ uuid }) => uuid));
  return legs.filter((id) => {
    const [, parent, place] = LEG.exec(id) ?? [];
    return parent === undefined ? !brackets.has(id) : Number(place) >= LEGS_MAX;
  });
}

function contradicts({ status, receipt }: Judged): boolean {
  if (status === 200) return receipt?.fate !== "accepted";
  return status === 400 && receipt?.fate !== "rejected";
}

function describeOrder({ lookup, status, fault, receipt }: Judged): string {
  const { fate = null, orderUuid = null, error = null } = receipt ?? {};
  return JSON.stringify({ mark: lookup, fault, status, fate, orderUuid, error });
}

function countFates(judged: readonly Judged[]): ValidatorFindings["fates"] {
  const count = (fate: ReceiptFate["fate"]): number =>
    judged.filter(({ receipt }) => receipt?.fate === fate).length;
  return {
    accepted: count("accepted"),
    rejected: count("rejected"),
    pending: count("pending"),
    unseen: count("unseen"),
  };
}

/** The accounts whose positions or pending orders differ from those at the validator, with both lists. */
async function findDifferentReads(
  traders: readonly LinkedTrader[],
  accounts: ReadonlyMap<string, StandInAccount>,
  port: number,
): Promise<readonly string[]> {
  const different: string[] = [];
  for (const trader of traders) {
    const account = accounts.get(trader.subaccount) ?? EMPTY_ACCOUNT;
    const shown = {
      positions: (await readUntilAnswered(port, trader, "positions")).map(
        (one) => `${String(one.tradePair)} ${Number(one.netQuantity).toFixed(5)}`,
      ),
      orders: (await readUntilAnswered(port, trader, "orders")).map(
        (one) => `${String(one.orderUuid)} ${String(one.limitPrice)}`,
      ),
    };
    const held = {
      positions: account.positions.map((one) => `${one.pair} ${one.quantity.toFixed(5)}`),
      orders: account.pending.map((one) => `${one.orderUuid} ${one.limitPrice}`),
    };
    for (const list of ["positions", "orders"] as const) {
      const [ours, theirs] = [shown[list].toSorted().join(), held[list].toSorted().join()];
      if (ours !== theirs) different.push(`${trader.subaccount} ${list}: ${ours} / ${theirs}`);
    }
  }
  return different;
}

const EMPTY_ACCOUNT: StandInAccount = {
  accepted: [],
  fills: new Map(),
  legs: [],
  pendingLegs: [],
  positions: [],
  pending: [],
};

/** The number of attempts to read a list. */
const READS_MAX = 20;

/** The items of a list of the account. A list that cannot be read gets one item that differs from every real one. */
async function readUntilAnswered(
  port: number,
  trader: LinkedTrader,
  list: "positions" | "orders",
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  // On a busy machine a read may time out before the validator has answered.
  for (let tries = 0; tries < READS_MAX; tries += 1) {
    const read = await readAccountList(port, trader, list);
    if (read !== null) return read;
    await setTimeout(BETWEEN_ROUNDS_MS);
  }
  return [{ tradePair: "not answered" }];
}
