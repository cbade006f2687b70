import type { Account, AccountStateView, Linked } from "@propgate/contract";
import { useNow } from "../../clock.tsx";
import { moneyText, percentText, plainText } from "../../format/numbers.ts";
import { Figure } from "../../parts/figure.tsx";
import { Meter, type Strain, strainOf } from "../../parts/meter.tsx";
import { Badge, Empty } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useTickOf } from "../../parts/price.tsx";
import {
  breachText,
  checkText,
  type LimitReading,
  limitReadings,
  strainText,
  usedText,
} from "./limit-words.ts";

/** The account's distance to each of its loss limits. */
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
        <Empty title="Limits unknown">
          {state.network === "vanta" && account !== null
            ? "The validator sent no limits."
            : "They appear when the account can be valued."}
        </Empty>
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
} as const satisfies Record<Strain, string>;

function Limit({
  limit,
  state,
}: {
  readonly limit: LimitReading;
  readonly state: AccountStateView;
}) {
  const used = usedText(limit);
  const words = strainText(limit);
  const { field } = limit;
  const tickOf = useTickOf();
  return (
    <section aria-label={`${limit.name} limit`}>
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="font-semibold">{limit.name}</h3>
        <Badge kind={BADGES[strainOf(limit.share)]}>{words}</Badge>
      </div>
      <Meter label={`${limit.name} limit, used`} share={limit.share} text={`${used}, ${words}`} />
      <div className="mt-1.5 flex flex-wrap justify-between gap-x-4">
        <span>
          <Figure value={limit.usedPct} as={() => used} field={`${field}.usedPct`} /> used
        </span>
        <span>
          <Figure value={limit.remaining} as={moneyText} field={`${field}.remaining`} unit="USD" />
          {", "}
          <Figure value={limit.remainingPct} as={percentText} /> left
        </span>
      </div>
      <p className="mt-1.5 text-xs text-muted">
        Measured {limit.measuredFrom}:{" "}
        <Figure value={limit.anchorEquity} as={moneyText} field={`${field}.anchorEquity`} />. The
        account ends below <Figure value={limit.floor} as={moneyText} field={`${field}.floor`} />.{" "}
        <Check limit={limit} />.
      </p>
      <p
        className="figure mt-1 text-xs text-muted"
        data-field={`${field}.breachPrice`}
        title={limit.breachPrice === null ? "unknown" : plainText(limit.breachPrice)}
      >
        {breachText(limit, state, tickOf)}
      </p>
    </section>
  );
}

function Check({ limit }: { readonly limit: LimitReading }) {
  return <span className="figure">{checkText(limit, useNow())}</span>;
}
