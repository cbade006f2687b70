import { type EventData, FILL_KINDS, type FillView, type Linked } from "@propgate/contract";
import type { LinkedRecord } from "@propgate/ledger";
import { observedEvent } from "@propgate/wire";
import type { LinkedPosition, LinkedReadings } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import { linkedPairId } from "../views/positions.ts";
import { linkedFillsView } from "../views/trade-fills.ts";
import { closedPosition, linkedTradesView } from "../views/trades.ts";
import type { ObservedChange } from "./observed-change.ts";

/** The positions of a reading and of the previous reading. */
export interface PositionsRead {
  readonly before: LinkedReadings | null;
  readonly after: LinkedReadings;
  /** The records of positions that the network reports as closed. */
  readonly closed: readonly LinkedRecord[];
  readonly pairs: LinkedPairs | null;
  /** The orders that were pending in the previous reading. Their fills were caused by the market. */
  readonly wasPending: ReadonlySet<string>;
}

/** The events of fills of open and closed positions, and of closings. */
export function positionLines(read: PositionsRead): readonly ObservedChange[] {
  const { before, after, closed } = read;
  const open = Object.values(after.positions).flatMap((position) => {
    const known = new Set(before?.positions[position.uuid]?.fills?.map(({ uuid }) => uuid));
    return fillsOf(position, null, read).filter(
      ({ orderUuid }) => orderUuid === null || !known.has(orderUuid),
    );
  });
  return [...open, ...closed.flatMap((record) => closingOf(record, read))];
}

function closingOf(record: LinkedRecord, read: PositionsRead): readonly ObservedChange[] {
  const [trade] = linkedTradesView([record], read.pairs);
  if (trade === undefined) return [];
  const closing = observedEvent(
    "position.closed",
    {
      positionUuid: trade.id,
      tradePair: trade.tradePair,
      direction: trade.positionType,
      quantity: trade.quantity === null ? null : Math.abs(trade.quantity),
      averageEntryPrice: trade.entryPriceNumeric,
      averageExitPrice: trade.closePriceNumeric,
      entryValue: trade.positionSizeNumeric,
      leverage: trade.leverageNumeric,
      realizedPnl: trade.realizedPnl,
      fees: trade.totalFees,
      returnAtClose: trade.returnAtClose,
      openTimeMs: trade.openTimeMs,
      closeTimeMs: trade.closeTimeMs,
      stopLoss: trade.stopLoss,
      takeProfit: trade.takeProfit,
      status: trade.status,
    },
    trade.closeTimeMs,
  );
  const fills = fillsOf(closedPosition(record), record, read);
  return [
    ...fills,
    {
      event: closing,
      orderMs: Math.max(trade.closeTimeMs, ...fills.map(({ orderMs }) => orderMs ?? 0)),
      orderUuid: null,
      pair: trade.tradePair,
      record,
      isUnlessFilled: false,
      act: null,
    },
  ];
}

function fillsOf(
  position: LinkedPosition,
  record: LinkedRecord | null,
  { pairs, wasPending }: PositionsRead,
): readonly ObservedChange[] {
  const pair = linkedPairId(position.pairDisplay, pairs);
  const leverages = new Map(position.fills?.map(({ uuid, leverage }) => [uuid, leverage]));
  return (linkedFillsView(position, pairs)?.fills ?? []).map((fill) => ({
    event: observedEvent(
      "order.filled",
      fillData(fill, { position, pair, leverage: leverages.get(fill.orderUuid) ?? null }),
      fill.atMs,
    ),
    orderMs: fill.atMs,
    orderUuid: fill.orderUuid,
    pair,
    record,
    isUnlessFilled: true,
    act: actOf(fill.orderUuid, wasPending),
  }));
}

function actOf(orderUuid: string, wasPending: ReadonlySet<string>): ObservedChange["act"] {
  if (orderUuid.endsWith("-flat-all")) return "flattened";
  return wasPending.has(orderUuid) ? null : "placed";
}

function fillData(
  fill: FillView,
  of: {
    readonly position: LinkedPosition;
    readonly pair: string;
    readonly leverage: number | null;
  },
): EventData<"order.filled", Linked> {
  return {
    orderUuid: fill.orderUuid,
    positionUuid: of.position.uuid,
    kind: kindOf(fill.kind),
    tradePair: of.pair,
    direction: fill.direction,
    effect: fill.effect,
    price: fill.price,
    slippage: fill.slippage,
    quantity: fill.quantity,
    value: fill.value,
    leverage: of.leverage === null ? null : Math.abs(of.leverage),
    fee: fill.fee,
    realizedPnl: fill.realizedPnl,
    bindingCap: fill.bindingCap,
    shortfall: fill.shortfall,
    excess: fill.excess,
    usdRate: null,
    rateAgeMs: null,
    tookRestAlong: null,
    legsDropped: null,
  };
}

/**
 * The cause of a fill in an event. A stop-limit order fills as the limit order that it became. Null for a leg whose
 * level is not known.
 */
function kindOf(kind: FillView["kind"]): EventData<"order.filled", Linked>["kind"] {
  if (kind === "stopLimit") return "limit";
  return FILL_KINDS.find((one) => one === kind) ?? null;
}
