import { madeInTurns } from "@propgate/base";
import { type ChainedLine, type Event, type PairId, parseEvent } from "@propgate/core";

/** A line of the journal that names an order. */
export interface OrderMention {
  readonly orderUuid: string;
  readonly seq: number;
  readonly atMs: number;
  /** Empty where neither an order begins nor a fill is recorded. */
  readonly pair: string;
  /** Whether the order begins here, unless an earlier line names it. */
  readonly opens: boolean;
  readonly fills: boolean;
  /** False for a line of which an order may have any number: edits, splits and holds. */
  readonly once: boolean;
  /** Whether the line replaces the order's form, so that of several only the last one counts. */
  readonly forms: boolean;
}

type Named = Pick<OrderMention, "orderUuid"> &
  Partial<Pick<OrderMention, "opens" | "fills" | "once" | "forms">> & { readonly pair?: PairId };

/** The orders that the lines name, each once a line. Trailing stops that follow a price are left out: they are many. */
export async function orderMentions(
  lines: readonly ChainedLine[],
): Promise<readonly OrderMention[]> {
  const known = new Set<string>();
  const ofLines = await madeInTurns(lines, (line) =>
    namedIn(parseEvent(line.event)).map(
      ({ orderUuid, pair = "", opens = false, fills = false, forms = false, once = !forms }) => {
        const isFirst = opens && !known.has(orderUuid);
        known.add(orderUuid);
        const { seq, atMs } = line;
        return { orderUuid, seq, atMs, pair, opens: isFirst, fills, once, forms };
      },
    ),
  );
  return ofLines.flat();
}

/** The order that a leg was sent with; a leg's id is its order's id with an ending. */
function parentOf(legUuid: string): string | null {
  const parent = legUuid.replace(/-bracket-\d+$/, "");
  return parent === legUuid ? null : parent;
}

type NamesOf = {
  readonly [Type in Event["type"]]?: (event: Extract<Event, { type: Type }>) => readonly Named[];
};

/** The events that name orders. */
const NAMES: NamesOf = {
  orderPlaced: ({ order }) => [{ orderUuid: order.uuid, pair: order.pair, opens: true }],
  orderEdited: ({ order }) => [{ orderUuid: order.uuid, forms: true }],
  orderFilled: ({ orderUuid, pair }) => [{ orderUuid, pair, opens: true, fills: true }],
  orderCancelled: ({ orderUuid }) => [{ orderUuid }],
  orderRejected: ({ orderUuid }) => [{ orderUuid }],
  orderHeld: ({ orderUuid }) => [{ orderUuid, once: false }],
  stopTriggered: ({ orderUuid }) => [{ orderUuid }],
  legsAttached: ({ legs }) => [
    ...legs.map(({ uuid, pair }) => ({ orderUuid: uuid, pair, opens: true })),
    ...[...new Set(legs.flatMap(({ uuid }) => parentOf(uuid) ?? []))].map((orderUuid) => ({
      orderUuid,
    })),
  ],
  sharesSplit: ({ orders }) => orders.map(({ uuid }) => ({ orderUuid: uuid, forms: true })),
};

function namedIn(event: Event): readonly Named[] {
  const names: Readonly<Record<string, (event: never) => readonly Named[]>> = NAMES;
  // The row of the event's own type.
  return names[event.type]?.(event as never) ?? [];
}
