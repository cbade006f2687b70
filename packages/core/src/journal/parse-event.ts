/**
 * Parses the events of the journal. The journal is never rewritten, because the chain covers its
 * text. Events that earlier releases wrote in another form get the present form here, when they are
 * read, and nowhere else.
 */
import type {
  AccountEliminated,
  AccountOpened,
  Event,
  OrderEdited,
  OrderFilled,
  OrderPlaced,
  OrderRejected,
} from "../state/event.ts";
import type { ExposureCap } from "../state/exposure-cap.ts";
import type { EntryOrder, PendingOrder } from "../state/order.ts";
import type { Refusal } from "../state/refusal.ts";
import type { Terms } from "../state/terms.ts";
import type { Leverage } from "../units.ts";
import { capFrom, eliminationFrom, type FormerElimination } from "./former-words.ts";

/** The kinds of exposure groups; in state format 1 all of them shared one cap. */
const GROUP_KINDS = ["currency", "sector", "index"] as const;

/** State format 1: one cap for groups of every kind; null when no group was capped. */
interface FormerTerms extends Omit<Terms, "groupCaps"> {
  readonly groupCap: Leverage | null;
}

/** State format 2 and before: no order was reduce-only. */
type Former<Order> = Order extends EntryOrder ? Omit<Order, "reduceOnly"> : Order;

type NoRoom = Extract<Refusal, { readonly code: "noRoom" }>;

/** State format 3 and before: caps and eliminations in the words of the API. */
type FormerRefusal = Exclude<Refusal, NoRoom> | (Omit<NoRoom, "cap"> & { readonly cap: string });

/** Every form of the column's JSON. Only the executor writes it, and the chain proves that. */
type StoredEvent =
  | Event
  | (Omit<AccountOpened, "terms"> & { readonly terms: FormerTerms })
  | (Omit<OrderPlaced, "order"> & { readonly order: Former<EntryOrder> })
  | (Omit<OrderEdited, "order"> & { readonly order: Former<PendingOrder> })
  | (Omit<OrderFilled, "bindingCap"> & { readonly bindingCap: string })
  | (Omit<OrderRejected, "refusal"> & { readonly refusal: FormerRefusal })
  | (Omit<AccountEliminated, "elimination"> & { readonly elimination: FormerElimination });

export function parseEvent(text: string): Event {
  const event = JSON.parse(text) as StoredEvent;
  if (event.type === "accountOpened") return { ...event, terms: termsOf(event.terms) };
  if (event.type === "orderPlaced") return { ...event, order: entryOf(event.order) };
  if (event.type === "orderEdited") return { ...event, order: restingOf(event.order) };
  if (event.type === "orderFilled") return { ...event, bindingCap: capOf(event.bindingCap) };
  if (event.type === "orderRejected") return { ...event, refusal: refusalOf(event.refusal) };
  if (event.type !== "accountEliminated") return event;
  return { ...event, elimination: eliminationOf(event.elimination) };
}

function termsOf(terms: Terms | FormerTerms): Terms {
  if (!("groupCap" in terms)) return terms;
  const { groupCap, ...rest } = terms;
  return { ...rest, groupCaps: groupCapsOf(groupCap) };
}

function entryOf(order: EntryOrder | Former<EntryOrder>): EntryOrder {
  return "reduceOnly" in order ? order : { ...order, reduceOnly: false };
}

function restingOf(order: PendingOrder | Former<PendingOrder>): PendingOrder {
  return order.kind === "bracket" ? order : entryOf(order);
}

function groupCapsOf(cap: Leverage | null): Terms["groupCaps"] {
  return cap === null ? {} : Object.fromEntries(GROUP_KINDS.map((kind) => [kind, cap]));
}

function capOf(cap: ExposureCap | string | null): ExposureCap | null {
  return typeof cap === "string" ? capFrom(cap) : cap;
}

function refusalOf(refusal: Refusal | FormerRefusal): Refusal {
  if (refusal.code !== "noRoom") return refusal;
  const { cap } = refusal;
  return { ...refusal, cap: typeof cap === "string" ? capFrom(cap) : cap };
}

function eliminationOf(
  elimination: AccountEliminated["elimination"] | FormerElimination,
): AccountEliminated["elimination"] {
  return "cause" in elimination ? elimination : eliminationFrom(elimination);
}
