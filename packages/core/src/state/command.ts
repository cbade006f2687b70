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

/** `reduceOnly`: only reduces the position of the moment. @rule D12.marketReduces */
export interface PlaceMarket
  extends Pick<EntryRequest, "pair" | "direction" | "size" | "legs" | "reduceOnly"> {
  readonly type: "placeMarket";
  /** The id of the new order: the caller makes ids, the core never does. */
  readonly orderUuid: OrderUuid;
}

/** FLAT: closes the pair's position at the market. */
export interface ClosePair {
  readonly type: "closePair";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
}

/** Places an entry order that stays pending. */
export type PlaceEntry<Kind extends EntryKind = EntryKind> = {
  readonly [Each in Kind]: EntryRequest &
    EntryKinds[Each] & {
      readonly type: `place${Capitalize<Each>}`;
      readonly orderUuid: OrderUuid;
    };
}[Kind];

/** The content of the command, with the fields that the network adds to it: at least its kind. */
export function entryContent<Added extends { readonly kind: EntryKind }>(
  { type: _type, orderUuid: _uuid, ...request }: PlaceEntry,
  added: Added,
): EntryContent & Added {
  // The compiler does not see that request and kind belong to the same command.
  return { ...request, ...added } as EntryContent & Added;
}

/**
 * The direction that a client sent although the order has one already; refused when they differ.
 * @rule D13.ownDirection
 */
interface RepeatsDirection {
  readonly repeatedDirection?: Direction;
}

/** Attaches legs to the pair's open position: one from top-level fields, several from a list. */
export interface PlaceBracket extends RepeatsDirection {
  readonly type: "placeBracket";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
  readonly legs: readonly LegRequest[];
}

/** Replaces the whole order under the same id, `replacement.orderUuid`. */
export interface EditOrder {
  readonly type: "editOrder";
  readonly replacement: PlaceEntry | EditLeg;
}

/** A pending leg's new stop, target, trailing stop and size. */
export interface EditLeg extends RepeatsDirection {
  readonly type: "editLeg";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
  readonly leg: LegRequest & { readonly size: LegSize | null };
}

export interface CancelOrders extends RepeatsDirection {
  readonly type: "cancelOrders";
  readonly target: "all" | readonly OrderUuid[];
  /** Restricts `all` or the ids to one pair. */
  readonly pair: PairId | null;
}

export interface Flatten extends RepeatsDirection {
  readonly type: "flatten";
  readonly target: "all" | readonly PositionUuid[];
  /** Restricts `all` or the ids to one pair. */
  readonly pair: PairId | null;
}

/** Arms the dead man's switch, or ends it. @rule D9.cancelAllAfter */
export interface CancelAllAfter {
  readonly type: "cancelAllAfter";
  /** Time until the deadline; null ends the switch. */
  readonly afterMs: number | null;
  readonly action: SwitchAction;
}

/** An operator has paused the keys of the account: its switch waits. @rule D13.switchSuspended */
export interface SuspendSwitch {
  readonly type: "suspendSwitch";
}

/** The keys work again: a suspended switch runs on, with its whole span. @rule D13.switchSuspended */
export interface ResumeSwitch {
  readonly type: "resumeSwitch";
}

export interface OpenAccount {
  readonly type: "openAccount";
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly terms: Terms;
  readonly provisioned: boolean;
}

export interface ProvisionAccount {
  readonly type: "provisionAccount";
}

/**
 * The phases in which the operator saw the account; refused in any other one. Absent: any phase.
 * @rule D13.phaseSeen
 */
export interface SeenPhase {
  readonly seenIn?: readonly Phase[];
}

export interface CloseAccount extends SeenPhase {
  readonly type: "closeAccount";
  /** Drops the cycle in progress instead of closing it. @rule D13.closing */
  readonly forfeit?: true;
}

export interface EliminateAccount extends SeenPhase {
  readonly type: "eliminateAccount";
  readonly reason: string;
}

/** Puts an account in its challenge, or a funded one, on the pro track. */
export interface OfferPro extends SeenPhase {
  readonly type: "offerPro";
  readonly terms: ProTerms;
}

/** Moves to the next phase as if all requirements of the present one were met. */
export interface Promote extends SeenPhase {
  readonly type: "promote";
}

/** The operator's record of a payment; a null field keeps its value. */
export interface RecordPayout {
  readonly type: "recordPayout";
  readonly payoutId: PayoutId;
  readonly status: PayoutStatus;
  readonly rail: string | null;
  readonly provider: string | null;
  readonly reference: string | null;
  /** Whole cents; only a payment with the status `paid` has it. */
  readonly paidAmount: MicroUsd | null;
}

/** Applies new prices: fills triggered orders, moves trailing stops, checks the live limits. */
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

/** Does all work that is due, in order. */
export interface PassTime {
  readonly type: "passTime";
}

/** A command of `POST orders`. */
export type OrderCommand =
  | PlaceMarket
  | ClosePair
  | PlaceEntry
  | PlaceBracket
  | EditOrder
  | CancelOrders
  | Flatten;

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

/** Whether the command places an entry order that stays pending. */
export function placesEntry(command: { readonly type: string }): command is PlaceEntry {
  return Object.hasOwn(KIND_PLACED, command.type);
}

/** Whether a command of this type is a trader's. */
export function isTraderCommand(command: { readonly type: string }): command is TraderCommand {
  return TRADER_COMMANDS.has(command.type);
}

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
