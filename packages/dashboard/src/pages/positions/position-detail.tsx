import type { AccountStateView, Linked, MarketView, PositionItem } from "@propgate/contract";
import { useState } from "react";
import { Disclosure } from "../../parts/disclosure.tsx";
import { Price } from "../../parts/price.tsx";
import { PositionChart } from "../../prices/position-chart.tsx";
import { Legs } from "./legs.tsx";

interface PositionDetailProps {
  readonly position: PositionItem<Linked>;
  readonly state: AccountStateView;
  readonly market: MarketView | undefined;
}

/**
 * The legs of a position. For an account of this service also the price at which this position alone would end the
 * account, and a button that opens the chart of the pair.
 */
export function PositionDetail({ position, state, market }: PositionDetailProps) {
  const [isDrawn, setIsDrawn] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <Legs position={position} orders={state.orders} market={market} />
      {state.network === "embedded" && <BreachAlone position={position} />}
      {state.network === "embedded" && (
        <div>
          <Disclosure
            open={isDrawn}
            label={`Price chart of ${position.tradePairDisplay}`}
            onToggle={() => setIsDrawn(!isDrawn)}
          >
            Price chart
          </Disclosure>
        </div>
      )}
      {isDrawn && <PositionChart position={position} state={state} />}
    </div>
  );
}

function BreachAlone({ position }: { readonly position: PositionItem<Linked> }) {
  const { breachPriceAlone, tradePair, positionType } = position;
  const others = "if all other prices stay the same";
  return (
    <p className="text-xs text-muted">
      {breachPriceAlone === null ? (
        `Breach price: no price of ${tradePair} ends the account, ${others}.`
      ) : (
        <>
          {`The account ends ${positionType === "LONG" ? "below a bid" : "above an ask"} of `}
          <Price pair={tradePair} value={breachPriceAlone} field="positions[].breachPriceAlone" />
          {`, ${others}.`}
        </>
      )}
    </p>
  );
}
