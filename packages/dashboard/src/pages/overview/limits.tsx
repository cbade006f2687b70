import type { Account, AccountStateView, Linked } from "@propgate/contract";
import { useNow } from "../../clock.tsx";
import { distanceText, moneyText, plainText } from "../../format/numbers.ts";
import { Figure } from "../../parts/figure.tsx";
import { Hint } from "../../parts/hint.tsx";
import {
  breachField,
  breachText,
  checkText,
  type LimitReading,
  limitReadings,
  limitStateText,
  remainingLossText,
  usedText,
} from "../../parts/limit-words.ts";
import { type LimitSeverity, limitSeverityOf, Meter } from "../../parts/meter.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useTickOf } from "../../parts/price.tsx";

/** The loss limits of the account, and the account's distance to each of them. */
export function Limits({
  state,
  account,
}: {
  readonly state: AccountStateView;
  readonly account: Account<Linked> | null;
}) {
  const rules = account?.drawdownRules ?? null;
  return (
    <Panel title="Limits">
      {rules === null ? (
        <EmptyList title="Limits unknown">
          {state.network === "vanta" && account !== null
            ? "The validator sent no limits."
            : "They appear when the account can be valued."}
        </EmptyList>
      ) : (
        <div className="flex flex-col gap-5">
          {limitReadings(rules).map((limit) => (
            <Limit key={limit.rule} limit={limit} state={state} />
          ))}
        </div>
      )}
    </Panel>
  );
}

const BADGES = {
  ok: "ok",
  notice: "notice",
  warn: "warn",
  danger: "danger",
  unknown: "info",
} as const satisfies Record<LimitSeverity, string>;

function Limit({
  limit,
  state,
}: {
  readonly limit: LimitReading;
  readonly state: AccountStateView;
}) {
  const used = usedText(limit.usedPctNow, limit);
  const words = limitStateText(limit);
  const { field } = limit;
  const tickOf = useTickOf();
  const breach = breachField(state.positions);
  return (
    <section aria-label={`${limit.name} limit`}>
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="font-semibold">{limit.name}</h3>
        <Badge kind={BADGES[limitSeverityOf(limit.share)]}>{words}</Badge>
      </div>
      <Meter label={`${limit.name} limit, used`} share={limit.share} text={`${used}, ${words}`} />
      <div className="mt-1.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          <span className="text-base font-semibold">
            <Figure
              value={limit.remainingNow}
              as={distanceText}
              field={`${field}.remainingNow`}
              unit="USD"
            />
          </span>{" "}
          {remainingLossText(limit)}
        </span>
        <span>
          <Figure value={limit.usedPctNow} as={() => used} field={`${field}.usedPctNow`} /> used
        </span>
      </div>
      <p className="mt-1.5 text-xs text-muted">
        The account ends below{" "}
        <Figure value={limit.floor} as={moneyText} field={`${field}.floor`} />.{" "}
        <Check limit={limit} />.
      </p>
      <Hint
        label={`About the ${limit.name.toLowerCase()} limit`}
        text={
          <span
            className="figure"
            data-field={`${field}.${breach}`}
            title={limit[breach] === null ? "unknown" : plainText(limit[breach])}
          >
            {breachText(limit, state, tickOf)}
          </span>
        }
      >
        <Contract limit={limit} />
      </Hint>
    </section>
  );
}

/** The limit's figures in the API. When a limit is checked at the end of the day, they change only at that check. */
function Contract({ limit }: { readonly limit: LimitReading }) {
  const { field } = limit;
  return (
    <>
      Measured {limit.measuredFrom}:{" "}
      <Figure value={limit.anchorEquity} as={moneyText} field={`${field}.anchorEquity`} />.{" "}
      {limit.checked === "live" ? "The API's " : "At the last 00:00 UTC the API's "}
      <code>usedPct</code> and <code>remaining</code>:{" "}
      <Figure
        value={limit.usedPct}
        as={(usedPct) => usedText(usedPct, limit)}
        field={`${field}.usedPct`}
      />{" "}
      used,{" "}
      <Figure value={limit.remaining} as={moneyText} field={`${field}.remaining`} unit="USD" />{" "}
      left, without gains.
    </>
  );
}

function Check({ limit }: { readonly limit: LimitReading }) {
  return <span className="figure">{checkText(limit, useNow())}</span>;
}
