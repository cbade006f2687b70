import { mapYielding } from "@propgate/base";
import {
  type ChainedLine,
  type Event,
  isObserved,
  type ObservedEvent,
  parentOrderOfLeg,
  parseLineEvent,
} from "@propgate/core";

/** A line of the journal that names an order. */
export interface OrderMention {
  readonly orderUuid: string;
  readonly seq: number;
  readonly atMs: number;
  /** The order's pair; empty when the line neither begins the order nor records a fill of it. */
  readonly pair: string;
  /** True when the line begins the order, provided that no earlier line names it. */
  readonly opens: boolean;
  readonly fills: boolean;
  /** False for a kind of line of which an order may have any number: edits, splits and holds. */
  readonly isOncePerOrder: boolean;
  /**
   * True when the line replaces fields of the order, such as its prices and sizes, as edits and splits do. Only the
   * last such line counts.
   */
  readonly replacesTerms: boolean;
}

type MentionedOrder = Pick<OrderMention, "orderUuid"> &
  Partial<Pick<OrderMention, "pair" | "opens" | "fills" | "isOncePerOrder" | "replacesTerms">>;

/**
 * The orders that the lines name, each once per line. Lines of trailing stops that follow a price are left out, because
 * there are many.
 */
export async function collectOrderMentions(
  lines: readonly ChainedLine[],
): Promise<readonly OrderMention[]> {
  const known = new Set<string>();
  const ofLines = await mapYielding(lines, (line) =>
    mentionsIn(parseLineEvent(line.event)).map(
      ({
        orderUuid,
        pair = "",
        opens = false,
        fills = false,
        replacesTerms = false,
        isOncePerOrder = !replacesTerms,
      }) => {
        const isFirst = opens && !known.has(orderUuid);
        known.add(orderUuid);
        const { seq, atMs } = line;
        return {
          orderUuid,
          seq,
          atMs,
          pair,
          opens: isFirst,
          fills,
          isOncePerOrder,
          replacesTerms,
        };
      },
    ),
  );
  return ofLines.flat();
}

/** The events that have one of the fields in which orders are named. */
type NamingEvent = Extract<
  Event,
  | { readonly orderUuid: unknown }
  | { readonly order: unknown }
  | { readonly orders: unknown }
  | { readonly legs: unknown }
>;

type MentionReaders = {
  readonly [Type in NamingEvent["type"]]: (
    event: Extract<NamingEvent, { type: Type }>,
  ) => readonly MentionedOrder[];
};

/** The orders that an event names, by its type. */
const MENTIONS_BY_TYPE: MentionReaders = {
  orderPlaced: ({ order }) => [{ orderUuid: order.uuid, pair: order.pair, opens: true }],
  orderEdited: ({ order }) => [{ orderUuid: order.uuid, replacesTerms: true }],
  orderFilled: ({ orderUuid, pair }) => [{ orderUuid, pair, opens: true, fills: true }],
  orderCancelled: ({ orderUuid }) => [{ orderUuid }],
  orderRejected: ({ orderUuid }) => [{ orderUuid }],
  orderHeld: ({ orderUuid }) => [{ orderUuid, isOncePerOrder: false }],
  stopTriggered: ({ orderUuid }) => [{ orderUuid }],
  legsAttached: ({ legs }) =>
    mentionsOfLegs(legs.map(({ uuid, pair }) => ({ orderUuid: uuid, tradePair: pair }))),
  sharesSplit: ({ orders }) => orders.map(({ uuid }) => ({ orderUuid: uuid, replacesTerms: true })),
  // Lines of a trailing stop that follows the price are left out, because there are many.
  trailMoved: () => [],
};

/** An order with the contract's field names, with which events of a validator are stored. Core has other names. */
interface NamedOrder {
  readonly orderUuid: string;
  readonly tradePair: string;
}

interface ObservedData extends NamedOrder {
  readonly order: NamedOrder;
  readonly legs: readonly NamedOrder[];
}

/** The orders that an event of a validator names, by its type. */
const OBSERVED_MENTIONS_BY_TYPE: {
  readonly [Type in Event["type"]]?: (data: ObservedData) => readonly MentionedOrder[];
} = {
  orderPlaced: ({ order }) => [{ orderUuid: order.orderUuid, pair: order.tradePair, opens: true }],
  orderEdited: ({ order }) => [{ orderUuid: order.orderUuid, replacesTerms: true }],
  orderFilled: ({ orderUuid, tradePair }) => [
    { orderUuid, pair: tradePair, opens: true, fills: true },
  ],
  orderCancelled: ({ orderUuid }) => [{ orderUuid }],
  stopTriggered: ({ orderUuid }) => [{ orderUuid }],
  legsAttached: ({ legs }) => mentionsOfLegs(legs),
};

function mentionsOfLegs(legs: readonly NamedOrder[]): readonly MentionedOrder[] {
  const parents = new Set(legs.flatMap(({ orderUuid }) => parentOrderOfLeg(orderUuid) ?? []));
  return [
    ...legs.map(({ orderUuid, tradePair }) => ({ orderUuid, pair: tradePair, opens: true })),
    ...[...parents].map((orderUuid) => ({ orderUuid })),
  ];
}

function mentionsIn(event: Event | ObservedEvent): readonly MentionedOrder[] {
  if (isObserved(event)) {
    // The service itself wrote the data in the form of this type.
    const data: unknown = event.data;
    return OBSERVED_MENTIONS_BY_TYPE[event.type]?.(data as ObservedData) ?? [];
  }
  const names: Readonly<Record<string, (event: never) => readonly MentionedOrder[]>> =
    MENTIONS_BY_TYPE;
  // The entry of `MENTIONS_BY_TYPE` for this type accepts the event, which the compiler cannot infer.
  return names[event.type]?.(event as never) ?? [];
}
