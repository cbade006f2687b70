import type { CarryView, FillView, TradeFills } from "@propgate/contract";
import { type AccountId, dollars, type Event, lots, type OrderFilled } from "@propgate/core";
import { POSITION_WORDS } from "../../http/wire.ts";
import type { JournalEntry } from "../../journal/journal-store.ts";
import type { ReadAt } from "../../network/port.ts";

/** Where a position's events are found. */
export interface FillReader {
  /** Of the journal line that closed the trade; null: there is no such trade. */
  closedBy(account: AccountId, tradeId: string): Promise<number | null>;
  /** Whether the account has that position open now. */
  isOpen(at: ReadAt, positionUuid: string): Promise<boolean>;
  /** Of the lines in the range those that mention the text, the newest first. */
  mentions(
    account: AccountId,
    range: { readonly after: number; readonly upTo: number; readonly text: string },
  ): Promise<readonly JournalEntry[]>;
}

/** Lines of one statement: the database looks through them, and only those of the position come here. */
const WINDOW = 5_000;

/**
 * What made a trade, or a position that is still open. The journal is read from the line that ended
 * it back to the fill that opened it and no further, so that the length of an account's life does
 * not matter. Null: the account has no such trade or position.
 */
export async function positionFills(
  reader: FillReader,
  at: ReadAt,
  positionUuid: string,
): Promise<TradeFills | null> {
  const { accountId } = at;
  const closed = await reader.closedBy(accountId, positionUuid);
  if (closed === null && !(await reader.isOpen(at, positionUuid))) return null;
  const newestFirst: JournalEntry[] = [];
  let upTo = closed ?? at.version;
  while (upTo > 0 && !newestFirst.some(({ event }) => opens(event, positionUuid))) {
    const after = Math.max(0, upTo - WINDOW);
    newestFirst.push(...(await reader.mentions(accountId, { after, upTo, text: positionUuid })));
    upTo = after;
  }
  const entries = newestFirst.reverse();
  return {
    fills: entries.flatMap(({ event, sequence }) =>
      fills(event, positionUuid) ? [fillView(event, sequence)] : [],
    ),
    carry: entries.flatMap((entry) => carried(entry, positionUuid)),
  };
}

function fills(event: Event, positionUuid: string): event is OrderFilled {
  return event.type === "orderFilled" && event.positionUuid === positionUuid;
}

function opens(event: Event, positionUuid: string): boolean {
  return fills(event, positionUuid) && event.effect === "open";
}

function carried(
  { event, sequence, atMs }: JournalEntry,
  positionUuid: string,
): readonly CarryView[] {
  if (event.type !== "carryCharged") return [];
  const own = event.charges.filter((charge) => charge.positionUuid === positionUuid);
  return own.map(({ fee }) => ({ sequence, atMs, fee: dollars(fee) }));
}

function fillView(fill: OrderFilled, sequence: number): FillView {
  return {
    sequence,
    atMs: fill.atMs,
    orderUuid: fill.orderUuid,
    kind: fill.kind,
    effect: fill.effect,
    direction: POSITION_WORDS[fill.direction],
    price: fill.price,
    slippage: fill.slippage,
    quantity: lots(fill.quantity),
    value: dollars(fill.value),
    fee: dollars(fill.fee),
    realizedPnl: dollars(fill.realizedPnl),
    bindingCap: fill.bindingCap,
  };
}
