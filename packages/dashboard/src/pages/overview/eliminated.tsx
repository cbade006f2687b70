import type { Account } from "@propgate/contract";
import { percentText } from "../../format/numbers.ts";
import { timeText } from "../../format/times.ts";
import { Facts, Figure } from "../../parts/figure.tsx";
import { Panel } from "../../parts/panel.tsx";
import { eliminationWords } from "./elimination-words.ts";
import { limitReadings, usedText } from "./limit-words.ts";

/** Why and when an account ended, and what that means for its owner. */
export function Eliminated({ account }: { readonly account: Account }) {
  const { elimination } = account;
  const { rule, measured } = eliminationWords(elimination);
  const limits = account.drawdownRules === null ? [] : limitReadings(account.drawdownRules);
  return (
    <Panel title="How it ended">
      <div className="grid gap-x-10 gap-y-4 lg:grid-cols-[3fr_2fr]">
        <div className="max-w-prose">
          <p className="text-base font-semibold">{rule}.</p>
          <p className="mt-2">{measured}</p>
          <p className="mt-2 text-muted">
            Every position was closed at the market and every order cancelled. The account stays
            ended: its keys can still read, orders are refused with 403. What it had earned in
            closed weeks before is still paid; the week that was running is not. For another account
            turn to your firm.
          </p>
        </div>
        <Facts
          rows={[
            ["When, UTC", timeText(elimination?.atMs)],
            [
              "Drawdown at that moment",
              <Figure
                key="drawdown"
                value={elimination?.drawdownPct}
                as={percentText}
                field="elimination.drawdownPct"
              />,
            ],
            ...limits.map(
              (limit) =>
                [
                  `${limit.name} in the end`,
                  <Figure
                    key={limit.field}
                    value={limit.usedPct}
                    as={() => usedText(limit)}
                    field={`drawdownRules.${limit.field}.usedPct`}
                  />,
                ] as const,
            ),
            [
              "Reason in the API",
              <span key="reason" className="font-mono text-xs">
                {elimination?.reason ?? "--"}
              </span>,
            ],
          ]}
        />
      </div>
    </Panel>
  );
}
