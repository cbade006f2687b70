import type { MarketView, PendingOrder, PositionItem } from "@propgate/contract";
import {
  moneyText,
  percentText,
  plainText,
  signedMoneyText,
  signedPercentText,
} from "../../format/numbers.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Figure, toneOf } from "../../parts/figure.tsx";
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

/** A stop or a target of one leg. */
interface Level {
  readonly key: string;
  readonly leg: PendingOrder;
  readonly kind: "stop" | "target";
  /** Null: it trails, and where it stands is not told. */
  readonly outlook: LevelOutlook | null;
  readonly share: number | null;
}

/** What closes a position by itself, and how far away each of it is. */
export function Legs({
  position,
  orders,
  market,
}: {
  readonly position: PositionItem;
  readonly orders: readonly PendingOrder[];
  readonly market: MarketView | undefined;
}) {
  const legs = orders.filter(({ positionUuid }) => positionUuid === position.positionUuid);
  const levels = levelsOf(position, legs, markOf(position.positionType, market));
  return (
    <div className="max-md:-mx-4 max-md:[&>p]:mx-4">
      {!legs.some(hasStop) && (
        <p className="mb-2">
          <strong className="font-semibold text-warn">No stop:</strong> nothing closes this position
          when the price goes against it.
        </p>
      )}
      <Table
        label={`Legs of ${position.tradePair}`}
        columns={COLUMNS}
        rows={levels}
        keyOf={({ key }) => key}
        empty={<p className="text-muted">It has no legs. A BRACKET order attaches them.</p>}
      />
    </div>
  );
}

function levelsOf(
  position: PositionItem,
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
    head: "At",
    right: true,
    phone: "figure",
    cell: ({ outlook, kind }) => (
      <Figure
        value={outlook?.price}
        as={plainText}
        field={kind === "stop" ? "orders[].stopLoss" : "orders[].takeProfit"}
      />
    ),
  },
  {
    head: "Away",
    right: true,
    phone: "figure",
    cell: ({ outlook }) => (
      <>
        <Figure value={outlook?.away} as={signedPriceText} />{" "}
        <span className="text-muted">
          (<Figure value={outlook?.awayPct} as={signedPercentText} />)
        </span>
      </>
    ),
  },
  {
    head: "PnL there",
    right: true,
    phone: "figure",
    cell: ({ outlook }) => (
      <Figure value={outlook?.pnl} as={signedMoneyText} tone={toneOf(outlook?.pnl)} unit="USD" />
    ),
  },
  { head: "Closes", right: true, cell: ({ leg, share }) => <Closes leg={leg} share={share} /> },
  {
    head: "Order",
    right: true,
    cell: ({ leg }) => <CopyButton text={leg.orderUuid} label="Copy id" small />,
  },
];

/** A price move with its sign. */
function signedPriceText(value: number | null | undefined): string {
  const text = plainText(value);
  return value !== null && value !== undefined && value > 0 ? `+${text}` : text;
}

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

/** How far a trailing stop follows; `--` where the leg does not trail. */
export function TrailingDistance({ leg }: { readonly leg: PendingOrder }) {
  const trailing = trailingOf(leg);
  if (trailing === null) return <Figure value={null} as={plainText} />;
  return "percent" in trailing ? (
    <Figure value={trailing.percent} as={percentText} field="orders[].trailingPercent" />
  ) : (
    <Figure value={trailing.price} as={plainText} field="orders[].trailingValue" />
  );
}

/** The size of a leg as it was sent, and what share of its position that is. */
export function Closes({
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
      <>everything</>
    ) : (
      <Figure value={percent} as={wholePercentText} field="orders[].bracketPct" />
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

/** Of the three sizes the one that was sent. */
export function SentSize({ order }: { readonly order: PendingOrder }) {
  if (order.quantity !== null) {
    return <Figure value={order.quantity} as={plainText} field="orders[].quantity" />;
  }
  if (order.value !== null) {
    return <Figure value={order.value} as={moneyText} field="orders[].value" unit="USD" />;
  }
  return <Figure value={order.leverage} as={plainText} field="orders[].leverage" unit="x" />;
}
