import type { AccountStateView } from "@propgate/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAccountLive } from "../../live/account-live.tsx";
import { Switcher } from "../../parts/field.tsx";
import { Panel } from "../../parts/panel.tsx";
import { PositionChart } from "../../prices/position-chart.tsx";

/** The maximum number of positions between which the panel can switch. The positions page shows all. */
const SWITCHED_MAX = 5;

/**
 * The prices of the open positions, one at a time. Empty without an open position, and for an account at a validator.
 */
export function PricePanel({ state }: { readonly state: AccountStateView }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { accountId } = useAccountLive();
  const positions = state.positions.slice(0, SWITCHED_MAX);
  const position = positions.find(({ tradePair }) => tradePair === chosen) ?? positions[0];
  if (position === undefined || state.network === "vanta") return null;
  return (
    <div className="min-w-0 max-lg:order-2">
      <Panel
        title="Price"
        aside={
          positions.length > 1 && (
            <div className="flex flex-wrap items-center gap-2">
              <Switcher
                label="Position"
                value={position.tradePair}
                options={positions.map(({ tradePair, tradePairDisplay }) => ({
                  value: tradePair,
                  text: tradePairDisplay,
                }))}
                onChange={setChosen}
              />
              {state.positions.length > SWITCHED_MAX && (
                <Link
                  to="/a/$accountId/positions"
                  params={{ accountId }}
                  className="text-accent underline"
                >
                  All {state.positions.length}
                </Link>
              )}
            </div>
          )
        }
      >
        <PositionChart position={position} state={state} />
      </Panel>
    </div>
  );
}
