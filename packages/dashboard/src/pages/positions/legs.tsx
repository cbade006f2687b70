import type { Linked, MarketView, PendingOrder, PositionItem } from "@propgate/contract";
import {
  moneyText,
  percentText,
  plainText,
  signedMoneyText,
  signedPercentText,
} from "../../format/numbers.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Figure, GainFigure } from "../../parts/figure.tsx";
import { Price } from "../../parts/price.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import {
  hasStop,
  type LevelOutlook,
  levelOutlook,
  markOf,
  shareOf,
  stopPriceOf,
  trailingOf,
} from "./leg-outlook.ts";

/** A stop or target of a leg. */
interface Level {
  readonly key: string;
  readonly leg: PendingOrder;
  readonly kind: "stop" | "target";
  /** Its distance from the mark and its PnL; null for a trailing stop whose price is unknown. */
  readonly outlook: LevelOutlook | null;
  readonly share: number | null;
}

/**
 * The stops and targets of a position, each with its distance from the mark, and a warning when the position has no
 * stop.
 */
export function Legs({
  position,
  orders,
  market,
}: {
  readonly position: PositionItem<Linked>;
  readonly orders: readonly PendingOrder[];
  readonly market: MarketView | undefined;
}) {
  const legs = orders.filter(({ positionUuid }) => positionUuid === position.positionUuid);
  const levels = levelsOf(position, legs, markOf(position.positionType, market));
  return (
    <div className="max-md:-mx-4 max-md:[&>p]:mx-4">
      {!legs.some(hasStop) && (
        <p className="mb-2">
          <strong className="font-semibold text-warn">No stop:</strong> no order closes this
          position when the price moves against it.
        </p>
      )}
      <Table
        label={`Legs of ${position.tradePair}`}
        columns={COLUMNS}
        rows={levels}
        keyOf={({ key }) => key}
        empty={
          <p className="text-muted">The position has no legs. A BRACKET order attaches them.</p>
        }
      />
    </div>
  );
}

function levelsOf(
  position: PositionItem<Linked>,
  legs: readonly PendingOrder[],
  mark: number | null,
): readonly Level[] {
  return legs.flatMap((leg): readonly Level[] => {
    const share = shareOf(leg, position);
    const at = (price: number | null): LevelOutlook | null =>
      price === null ? null : levelOutlook({ position, price, mark, share });
    const stop: Level = {
      key: `${leg.orderUuid} stop`,
      leg,
      kind: "stop",
      outlook: at(stopPriceOf(leg, position, legs)),
      share,
    };
    const target: Level = {
      key: `${leg.orderUuid} target`,
      leg,
      kind: "target",
      outlook: at(leg.takeProfit),
      share,
    };
    return [...(hasStop(leg) ? [stop] : []), ...(leg.takeProfit === null ? [] : [target])];
  });
}

const COLUMNS: readonly Column<Level>[] = [
  { head: "Leg", phone: "title", cell: (level) => <LevelName level={level} /> },
  {
    head: "Price",
    right: true,
    phone: "figure",
    cell: ({ outlook, kind, leg }) => (
      <Price
        pair={leg.tradePair}
        value={outlook?.price}
        field={kind === "stop" ? stopFieldOf(leg) : "orders[].takeProfit"}
        isSent
      />
    ),
  },
  {
    head: "Distance",
    right: true,
    phone: "figure",
    cell: ({ outlook, leg }) => (
      <>
        <Price pair={leg.tradePair} value={outlook?.distance} isMove />{" "}
        <span className="text-muted">
          (<Figure value={outlook?.distancePct} as={signedPercentText} />)
        </span>
      </>
    ),
  },
  {
    head: "PnL at price",
    right: true,
    phone: "figure",
    cell: ({ outlook }) => <GainFigure value={outlook?.pnl} as={signedMoneyText} unit="USD" />,
  },
  { head: "Closes", right: true, cell: ({ leg, share }) => <LegSize leg={leg} share={share} /> },
  {
    head: "Order",
    right: true,
    cell: ({ leg }) => <CopyButton text={leg.orderUuid} label="Copy id" small />,
  },
];

function LevelName({ level: { leg, kind } }: { readonly level: Level }) {
  if (kind === "target") return <>Take profit</>;
  const trailing = trailingOf(leg);
  if (trailing === null) return <>Stop loss</>;
  return (
    <>
      Trailing stop, <TrailingDistance leg={leg} /> behind the best price
    </>
  );
}

/** The field of the API that has the price at which the stop of a leg triggers at this moment. */
export function stopFieldOf(leg: PendingOrder): "orders[].stopLoss" | "orders[].currentStop" {
  return trailingOf(leg) === null ? "orders[].stopLoss" : "orders[].currentStop";
}

/** The distance of a trailing stop; `--` for a fixed stop. */
export function TrailingDistance({ leg }: { readonly leg: PendingOrder }) {
  const trailing = trailingOf(leg);
  if (trailing === null) return <Figure value={null} as={plainText} />;
  return "percent" in trailing ? (
    <Figure
      value={leg.trailingPercent}
      as={() => percentText(trailing.percent)}
      field="orders[].trailingPercent"
    />
  ) : (
    <Price pair={leg.tradePair} value={trailing.price} field="orders[].trailingValue" isSent />
  );
}

/** The size of a leg as the trader sent it, and its share of the position. */
export function LegSize({
  leg,
  share,
}: {
  readonly leg: PendingOrder;
  readonly share: number | null;
}) {
  const percent = share === null ? null : share * 100;
  const hasSize = leg.quantity !== null || leg.value !== null || leg.leverage !== null;
  if (!hasSize) {
    return leg.bracketPct === null ? (
      <>whole position</>
    ) : (
      <Figure
        value={leg.bracketPct}
        as={() => wholePercentText(percent)}
        field="orders[].bracketPct"
      />
    );
  }
  return (
    <>
      <SentSize order={leg} />{" "}
      <span className="text-muted">
        (<Figure value={percent} as={wholePercentText} />)
      </span>
    </>
  );
}

function wholePercentText(value: number | null | undefined): string {
  return percentText(value, 1);
}

/** The size of an order as the trader sent it: quantity, value or leverage. */
export function SentSize({ order }: { readonly order: PendingOrder }) {
  if (order.quantity !== null) {
    return <Figure value={order.quantity} as={plainText} field="orders[].quantity" />;
  }
  if (order.value !== null) {
    return <Figure value={order.value} as={moneyText} field="orders[].value" unit="USD" />;
  }
  return <Figure value={order.leverage} as={plainText} field="orders[].leverage" unit="x" />;
}
