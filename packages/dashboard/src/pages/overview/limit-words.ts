import {
  type Account,
  type AccountStateView,
  type DrawdownRules,
  type Linked,
  type LossLimitItem,
  type LossRuleWord,
  lossRuleLabel,
  type MarketView,
  type PositionItem,
  priceText,
} from "@propgate/contract";
import { fixedText, percentText, plainText } from "../../format/numbers.ts";
import { countdownText } from "../../format/times.ts";
import { type Strain, strainOf } from "../../parts/meter.tsx";

/** One loss limit, as the panel shows it. */
export interface LimitReading extends LossLimitItem<Linked> {
  readonly name: string;
  /** Its path in GET account. */
  readonly field: string;
  /** The used share of the limit in percent; null for a limit of zero and while unknown. */
  readonly share: number | null;
  /** The rest of the limit, in percent of the anchor. */
  readonly remainingPct: number | null;
  /** The start of the measurement: "from the starting balance". */
  readonly measuredFrom: string;
}

/** Every limit of the account, in the API's order. */
export function limitReadings({ limits }: DrawdownRules<Linked>): readonly LimitReading[] {
  return limits.map((limit, index) => ({
    ...limit,
    name: lossRuleLabel(limit.rule),
    field: `drawdownRules.limits[${index}]`,
    ...sharesOf(limit),
    measuredFrom: MEASURED_FROM.get(limit.rule) ?? "from",
  }));
}

function sharesOf({
  usedPct,
  limitPct,
}: LossLimitItem<Linked>): Pick<LimitReading, "share" | "remainingPct"> {
  if (usedPct === null || limitPct === null) return { share: null, remainingPct: null };
  return {
    share: limitPct > 0 ? (usedPct * 100) / limitPct : null,
    remainingPct: Math.max(0, limitPct - usedPct),
  };
}

const ANCHORS: Readonly<Record<LossRuleWord, string>> = {
  dailyLoss: "from the equity at 00:00 UTC",
  static: "from the starting balance, which is fixed",
  eod_trailing: "from the high-water mark, the highest equity of any 00:00 UTC",
};

/** A map, because a newer service may send a word that is not in the table. */
const MEASURED_FROM: ReadonlyMap<string, string> = new Map(Object.entries(ANCHORS));

/** `1.20 of 5 %` */
export function usedText({ usedPct, limitPct }: LimitReading): string {
  return `${fixedText(usedPct, 2)} of ${plainText(limitPct)} %`;
}

const STRAINS: Readonly<Record<Strain, string>> = {
  ok: "within the limit",
  notice: "half used",
  warn: "three quarters used",
  danger: "nearly used up",
  unknown: "unknown",
};

/** The state of a limit in words. */
export function strainText({ share, usedPct, limitPct }: LimitReading): string {
  const isPassed = usedPct !== null && limitPct !== null && usedPct > limitPct;
  return isPassed ? "passed" : STRAINS[strainOf(share)];
}

/** When the limit is checked next. */
export function checkText(limit: LossLimitItem<Linked>, nowMs: number): string {
  if (limit.checked === "live") return "Checked on every price";
  if (limit.nextCheckMs === null) return "No longer checked";
  if (limit.nextCheckMs <= nowMs) return "Checked as soon as the end of the day is processed";
  return `Checked at 00:00 UTC, in ${countdownText(limit.nextCheckMs, nowMs)}`;
}

/** The price at which the open position would reach this limit. */
export function breachText(
  limit: LossLimitItem<Linked>,
  { network, positions, markets }: Pick<AccountStateView, "network" | "positions" | "markets">,
  tickOf: (pair: string) => number | null,
): string {
  if (network === "vanta") return "Breach price: unknown, because the validator sends no prices.";
  const [position, ...others] = positions;
  if (position === undefined) return "Breach price: none, because no position is open.";
  if (others.length > 0) {
    return `Breach price: none for ${positions.length} open positions together.`;
  }
  const { breachPrice } = limit;
  const pair = position.tradePair;
  if (breachPrice === null) return `Breach price: no price of ${pair} breaches this limit.`;
  const side = position.positionType === "LONG" ? "bid" : "ask";
  const when = limit.checked === "live" ? "" : " Only the price at 00:00 UTC counts.";
  const away = awayText(breachPrice, position, markets);
  return `Breach price: ${pair} ${priceText(breachPrice, { tick: tickOf(pair) })} (${side})${away}.${when}`;
}

function awayText(
  price: number,
  position: PositionItem<Linked>,
  markets: readonly MarketView[],
): string {
  const quote = markets.find(({ pair }) => pair === position.tradePair)?.quote ?? null;
  if (quote === null) return "";
  const mark = position.positionType === "LONG" ? quote.bid : quote.ask;
  return `, ${percentText((Math.abs(price - mark) * 100) / mark)} away`;
}

/** The effects of the next 00:00 UTC. */
export function midnightText(account: Account<Linked>): string {
  const checked = (account.drawdownRules?.limits ?? [])
    .filter((limit) => limit.checked === "end_of_day")
    .map(({ rule }) => ` The ${lossRuleLabel(rule).toLowerCase()} limit is checked.`);
  const pro = account.isPro ? " The pro track's day is judged." : "";
  return `The day ends: its return is recorded, and the daily loss limit restarts from the equity at that time.${checked.join("")}${pro}`;
}

/** The effects of the next Monday 00:00 UTC. */
export function mondayText(account: Account<Linked>): string {
  switch (account.challenge.bucket) {
    case "SUBACCOUNT_FUNDED":
    case "SUBACCOUNT_ALPHA":
    case "PRO_FUNDED":
    case "PRO_CHALLENGE_FROM_STANDARD":
      return "The payout cycle closes, and the next one begins.";
    case "PRO_CHALLENGE_TRANSITION":
      return "The payout cycle closes. The transition ends on the Monday in the notice above.";
    case "SUBACCOUNT_CHALLENGE":
    case "PRO_CHALLENGE_DIRECT":
      return "Payout cycles close; this account earns payouts once it is funded.";
    case "ELIMINATED":
      return "Nothing: the account has ended.";
    case "unknown":
      return "The network did not send the category of this account.";
  }
}
