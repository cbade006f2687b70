import type { CarryView, FillView, TradeFills } from "@propgate/contract";
import {
  type AccountId,
  dollars,
  type Event,
  lots,
  microUsd,
  type OrderFilled,
} from "@propgate/core";
import type { JournalEntry, ReadAt } from "@propgate/ledger";
import { bindingCapText, DIRECTION_WORDS, fillDifferenceView } from "@propgate/wire";

/** Finds the journal lines of a position. */
export interface FillReader {
  /** The number of the journal line that closed the trade; null for an unknown trade. */
  closingLineOf(account: AccountId, tradeId: string): Promise<number | null>;
  /** Whether the position is open at present. */
  isOpen(at: ReadAt, positionUuid: string): Promise<boolean>;
  /** The journal lines in the range that contain the text, newest first. `after` is not in the range, `upTo` is. */
  linesMentioning(
    account: AccountId,
    range: { readonly after: number; readonly upTo: number; readonly text: string },
  ): Promise<readonly JournalEntry[]>;
}

/**
 * How many journal lines one statement searches: `first` in the first statement, `growth` times as many in each further
 * one, at most `max`. `first` is small because most positions are short.
 */
const WINDOW = { first: 50, growth: 10, max: 5_000 };

/**
 * The fills of a trade or of an open position. Reads the journal backwards to the fill that opened the position, from
 * the line that closed it, or from the newest line while it is open. So the cost does not grow with the account's age.
 * Null when the account has no such trade or position.
 */
export async function positionFills(
  reader: FillReader,
  at: ReadAt,
  positionUuid: string,
): Promise<TradeFills | null> {
  const { accountId } = at;
  const closed = await reader.closingLineOf(accountId, positionUuid);
  if (closed === null && !(await reader.isOpen(at, positionUuid))) return null;
  const newestFirst: JournalEntry[] = [];
  let upTo = closed ?? at.version;
  let size = WINDOW.first;
  while (upTo > 0 && !newestFirst.some(({ event }) => isOpeningFillOf(event, positionUuid))) {
    const after = Math.max(0, upTo - size);
    newestFirst.push(
      ...(await reader.linesMentioning(accountId, { after, upTo, text: positionUuid })),
    );
    upTo = after;
    size = Math.min(WINDOW.max, size * WINDOW.growth);
  }
  const entries = newestFirst.reverse();
  return {
    fills: entries.flatMap(({ event, sequence }) =>
      isFillOf(event, positionUuid) ? [fillView(event, sequence)] : [],
    ),
    carry: entries.flatMap((entry) => carryViews(entry, positionUuid)),
  };
}

function isFillOf(event: Event, positionUuid: string): event is OrderFilled {
  return event.type === "orderFilled" && event.positionUuid === positionUuid;
}

function isOpeningFillOf(event: Event, positionUuid: string): boolean {
  return isFillOf(event, positionUuid) && event.effect === "open";
}

function carryViews(
  { event, sequence, atMs }: JournalEntry,
  positionUuid: string,
): readonly CarryView[] {
  // A dividend is a fee of its position. The fee is below zero when the account receives the dividend.
  if (event.type === "dividendPaid") {
    const { positionUuid: paidOn, paid } = event;
    return paidOn === positionUuid ? [{ sequence, atMs, fee: dollars(microUsd(0 - paid)) }] : [];
  }
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
    direction: DIRECTION_WORDS[fill.direction],
    price: fill.price,
    slippage: fill.slippage,
    quantity: lots(fill.quantity),
    value: dollars(fill.value),
    fee: dollars(fill.fee),
    realizedPnl: dollars(fill.realizedPnl),
    bindingCap: bindingCapText(fill.bindingCap),
    ...fillDifferenceView(fill),
    rateAgeMs: fill.rateAgeMs ?? null,
  };
}
