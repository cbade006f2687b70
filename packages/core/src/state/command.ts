import type { AccountId, OrderUuid, OwnerId, PairId, PositionUuid } from "../ids.ts";
import type { MicroUsd } from "../units.ts";
import type { Phase, SwitchAction } from "./account.ts";
import {
  type Direction,
  type EntryContent,
  type EntryKind,
  type EntryKinds,
  type EntryRequest,
  KIND_PLACED,
  type LegRequest,
} from "./order.ts";
import type { PayoutId, PayoutStatus } from "./payout.ts";
import type { LegSize } from "./requested-size.ts";
import type { ProTerms, Terms } from "./terms.ts";

/** Fills immediately at the market. With `reduceOnly` it may only reduce the open position. @rule D12.marketReduces */
export interface PlaceMarket
  extends Pick<EntryRequest, "pair" | "direction" | "size" | "legs" | "reduceOnly"> {
  readonly type: "placeMarket";
  /** The id of the new order: the caller makes ids, the core never does. */
  readonly orderUuid: OrderUuid;
}

/** FLAT: closes the position of the pair at the market. */
export interface ClosePair {
  readonly type: "closePair";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
}

/** Places an entry order, which stays pending until it is triggered. */
export type PlaceEntry<Kind extends EntryKind = EntryKind> = {
  readonly [Each in Kind]: EntryRequest &
    EntryKinds[Each] & {
      readonly type: `place${Capitalize<Each>}`;
      readonly orderUuid: OrderUuid;
    };
}[Kind];

/**
 * The fields of the order that the command places: those that the client sent, and `added`, which has the fields that
 * the network adds, among them the kind.
 */
export function entryContent<Added extends { readonly kind: EntryKind }>(
  { type: _type, orderUuid: _uuid, ...request }: PlaceEntry,
  added: Added,
): EntryContent & Added {
  // The compiler does not see that request and kind belong to the same command.
  return { ...request, ...added } as EntryContent & Added;
}

/**
 * The direction that the client sent although the named orders or positions have one already. The command is refused
 * when one of them has another direction. @rule D13.ownDirection
 */
interface RepeatsDirection {
  readonly repeatedDirection?: Direction;
}

/**
 * Attaches legs to the open position of the pair. The top-level fields of a request make one leg, and its list of legs
 * makes several.
 */
export interface PlaceBracket extends RepeatsDirection {
  readonly type: "placeBracket";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
  readonly legs: readonly LegRequest[];
}

/** Replaces the whole pending order whose id is `replacement.orderUuid`. The order keeps this id. */
export interface EditOrder {
  readonly type: "editOrder";
  readonly replacement: PlaceEntry | EditLeg;
}

/** Replaces the stop, target, trailing stop and size of a pending leg. */
export interface EditLeg extends RepeatsDirection {
  readonly type: "editLeg";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
  readonly leg: LegRequest & { readonly size: LegSize | null };
}

/** Cancels the orders with the given ids, or all orders. */
export interface CancelOrders extends RepeatsDirection {
  readonly type: "cancelOrders";
  readonly target: "all" | readonly OrderUuid[];
  /** Restricts `target` to one pair; null for all pairs. */
  readonly pair: PairId | null;
}

/** FLAT_ALL: closes the positions with the given ids, or all positions. */
export interface Flatten extends RepeatsDirection {
  readonly type: "flatten";
  readonly target: "all" | readonly PositionUuid[];
  /** Restricts `target` to one pair; null for all pairs. */
  readonly pair: PairId | null;
}

/** Arms the dead man's switch, or ends it. @rule D9.cancelAllAfter */
export interface CancelAllAfter {
  readonly type: "cancelAllAfter";
  /** Milliseconds until the deadline; null ends the switch. */
  readonly afterMs: number | null;
  readonly action: SwitchAction;
}

/** Suspends the switch of the account, because an operator has paused its keys. @rule D13.switchSuspended */
export interface SuspendSwitch {
  readonly type: "suspendSwitch";
}

/** Arms a suspended switch again, with its whole span, because the keys work again. @rule D13.switchSuspended */
export interface ResumeSwitch {
  readonly type: "resumeSwitch";
}

/**
 * Opens an account on these terms. When `provisioned` is false, the account cannot trade until `provisionAccount` makes
 * it active.
 */
export interface OpenAccount {
  readonly type: "openAccount";
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly terms: Terms;
  readonly provisioned: boolean;
}

/** Makes an account active that was opened without being provisioned. */
export interface ProvisionAccount {
  readonly type: "provisionAccount";
}

/**
 * A command that is refused unless the account is in one of these phases: those in which the operator saw it. Without
 * `seenIn` every phase is accepted. @rule D13.phaseSeen
 */
export interface SeenPhase {
  readonly seenIn?: readonly Phase[];
}

/** Closes the account: closes its positions and then the payout cycle in progress. */
export interface CloseAccount extends SeenPhase {
  readonly type: "closeAccount";
  /** Drops the cycle in progress instead of closing it, so that the trader is not paid for it. @rule D13.closing */
  readonly forfeit?: true;
}

/** Eliminates the account by the operator's decision. */
export interface EliminateAccount extends SeenPhase {
  readonly type: "eliminateAccount";
  readonly reason: string;
}

/**
 * Puts an account on the pro track. An account in its challenge starts the pro challenge immediately; a funded account
 * first has a transition.
 */
export interface OfferPro extends SeenPhase {
  readonly type: "offerPro";
  readonly terms: ProTerms;
}

/** Moves the account to its next phase as if all requirements of the present one were met. */
export interface Promote extends SeenPhase {
  readonly type: "promote";
}

/** The operator's record of a payment. A null `rail`, `provider` or `reference` leaves the recorded one unchanged. */
export interface RecordPayout {
  readonly type: "recordPayout";
  readonly payoutId: PayoutId;
  readonly status: PayoutStatus;
  readonly rail: string | null;
  readonly provider: string | null;
  readonly reference: string | null;
  /** The amount that was paid, in whole cents. It is kept only with the status `paid`; null when it is not known. */
  readonly paidAmount: MicroUsd | null;
}

/**
 * Runs due work, then applies the present prices: fills triggered orders, moves trailing stops and checks the live
 * limits.
 */
export interface SettlePrices {
  readonly type: "settlePrices";
}

/**
 * Records the best prices that the account's trailing stops have followed, before an answer shows them.
 * @rule D13.stopNeverFalls
 */
export interface RecordBests {
  readonly type: "recordBests";
}

/** Does all work that is due, in order, and then checks the live limits. */
export interface PassTime {
  readonly type: "passTime";
}

/** A command that a client sends with `POST orders`. */
export type OrderCommand =
  | PlaceMarket
  | ClosePair
  | PlaceEntry
  | PlaceBracket
  | EditOrder
  | CancelOrders
  | Flatten;

/** A command of a trader: an order, or the dead man's switch. */
export type TraderCommand = OrderCommand | CancelAllAfter;

const TRADER_COMMANDS: ReadonlySet<string> = new Set(
  Object.keys({
    ...KIND_PLACED,
    placeMarket: true,
    closePair: true,
    placeBracket: true,
    editOrder: true,
    cancelOrders: true,
    flatten: true,
    cancelAllAfter: true,
  } satisfies Readonly<Record<TraderCommand["type"], unknown>>),
);

/** True for a command that places an entry order, which stays pending. */
export function placesEntry(command: { readonly type: string }): command is PlaceEntry {
  return Object.hasOwn(KIND_PLACED, command.type);
}

/** True for a command that a trader sends; only its type is checked. */
export function isTraderCommand(command: { readonly type: string }): command is TraderCommand {
  return TRADER_COMMANDS.has(command.type);
}

/** Every command of the network: of a trader, of the operator, of time or of prices. */
export type Command =
  | TraderCommand
  | OpenAccount
  | SuspendSwitch
  | ResumeSwitch
  | ProvisionAccount
  | CloseAccount
  | EliminateAccount
  | OfferPro
  | Promote
  | RecordPayout
  | SettlePrices
  | RecordBests
  | PassTime;
