import { type Account, DASHBOARD_PREFIX, type Linked } from "@propgate/contract";
import { percentText } from "../../format/numbers.ts";
import { timeText } from "../../format/times.ts";
import { Facts, Figure } from "../../parts/figure.tsx";
import { limitReadings, usedText } from "../../parts/limit-words.ts";
import { Panel } from "../../parts/panel.tsx";
import { eliminationWords } from "./elimination-words.ts";

/** Why and when the account ended, the evidence, and what that means for its owner. */
export function Eliminated({
  account,
  evidenceOf,
}: {
  readonly account: Account<Linked>;
  /** The account's id; null for an account at a validator, because this service did not decide its end. */
  readonly evidenceOf: string | null;
}) {
  const { elimination } = account;
  const { rule, measured } = eliminationWords(elimination);
  const limits = account.drawdownRules === null ? [] : limitReadings(account.drawdownRules);
  return (
    <Panel title="Account end">
      <div className="grid gap-x-10 gap-y-4 lg:grid-cols-[3fr_2fr]">
        <div className="max-w-prose min-w-0 wrap-anywhere">
          <p className="text-base font-semibold">{rule}.</p>
          <p className="mt-2">{measured}</p>
          <p className="mt-2 text-muted">
            Every position was closed at the market, and every order was cancelled. API keys can
            still read; orders are rejected with 403. Closed payout weeks are still paid, but not
            the week in progress. Ask your firm for another account.
          </p>
          {evidenceOf !== null && (
            <p className="mt-2">
              <a
                href={`${DASHBOARD_PREFIX}/accounts/${evidenceOf}/evidence?format=html`}
                className="text-accent underline"
              >
                Evidence of the end
              </a>
              {" · "}
              <a
                href={`${DASHBOARD_PREFIX}/accounts/${evidenceOf}/evidence`}
                download
                className="text-accent underline"
              >
                Download evidence
              </a>
            </p>
          )}
          {limits.length > 0 && elimination?.drawdownPct != null && (
            <p className="mt-2 text-muted">
              The drawdown at the end was measured at the price that passed the limit. The figures
              after closing include the fees and slippage of closing every position.
            </p>
          )}
        </div>
        <Facts
          rows={[
            ["Time, UTC", timeText(elimination?.atMs)],
            [
              "Drawdown at the end",
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
                  `${limit.name} after closing`,
                  <Figure
                    key={limit.rule}
                    value={limit.usedPct}
                    as={(usedPct) => usedText(usedPct, limit)}
                    field={`${limit.field}.usedPct`}
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
