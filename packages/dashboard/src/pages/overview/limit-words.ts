import {
  type Account,
  type AccountStateView,
  type DrawdownRules,
  type MarketView,
  type PositionItem,
  priceText,
} from "@propgate/contract";
import { fixedText, percentText, plainText } from "../../format/numbers.ts";
import { countdownText } from "../../format/times.ts";
import { type Strain, strainOf } from "../../parts/meter.tsx";

/** One of the two loss limits, as the panel shows it. */
export interface LimitReading {
  readonly name: string;
  /** Name of the limit in the API's `drawdownRules`. */
  readonly field: "dailyLoss" | "maxLoss";
  readonly usedPct: number;
  readonly limitPct: number;
  /** The used share of the limit in percent; null for a limit of zero. */
  readonly share: number | null;
  readonly remaining: number;
  /** The rest of the limit, in percent of the anchor. */
  readonly remainingPct: number;
  readonly anchor: { readonly value: number; readonly field: string; readonly words: string };
  /** The equity at which the limit is reached, USD. */
  readonly floor: number;
  readonly isLive: boolean;
  readonly nextCheckMs: number | null;
  readonly breachPrice: number | null;
}

export function limitReadings(rules: DrawdownRules): readonly LimitReading[] {
  const { dailyLoss, maxLoss } = rules;
  const isTrailing = maxLoss.rule === "eod_trailing";
  return [
    {
      name: "Daily loss",
      field: "dailyLoss",
      ...figuresOf(dailyLoss, dailyLoss.dayStartEquity),
      anchor: {
        value: dailyLoss.dayStartEquity,
        field: "drawdownRules.dailyLoss.dayStartEquity",
        words: "from the equity at 00:00 UTC",
      },
      isLive: true,
    },
    {
      name: "Maximum loss",
      field: "maxLoss",
      ...figuresOf(maxLoss, maxLoss.anchorEquity),
      anchor: {
        value: maxLoss.anchorEquity,
        field: "drawdownRules.maxLoss.anchorEquity",
        words: isTrailing
          ? "from the high-water mark, the highest equity of any 00:00 UTC"
          : "from the starting balance, which is fixed",
      },
      isLive: !isTrailing,
    },
  ];
}

type LimitFigures = Pick<
  DrawdownRules["dailyLoss"],
  "usedPct" | "limitPct" | "remaining" | "nextCheckMs" | "breachPrice"
>;

function figuresOf(limit: LimitFigures, anchor: number) {
  const { usedPct, limitPct, remaining, nextCheckMs, breachPrice } = limit;
  return {
    usedPct,
    limitPct,
    share: limitPct > 0 ? (usedPct * 100) / limitPct : null,
    remaining,
    remainingPct: Math.max(0, limitPct - usedPct),
    floor: floorOf(anchor, limitPct),
    nextCheckMs,
    breachPrice,
  };
}

/** The equity at which a limit is reached, to the micro dollar. */
export function floorOf(anchor: number, limitPct: number): number {
  return Math.round(anchor * (100 - limitPct) * 10_000) / 1_000_000;
}

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
  return usedPct > limitPct ? "passed" : STRAINS[strainOf(share)];
}

/** When the limit is checked next. */
export function checkText(limit: LimitReading, nowMs: number): string {
  if (limit.isLive) return "Checked on every price";
  if (limit.nextCheckMs === null) return "No longer checked";
  if (limit.nextCheckMs <= nowMs) return "Checked as soon as the end of the day is processed";
  return `Checked at 00:00 UTC, in ${countdownText(limit.nextCheckMs, nowMs)}`;
}

/** The price at which the open position would reach this limit. */
export function breachText(
  limit: LimitReading,
  { positions, markets }: Pick<AccountStateView, "positions" | "markets">,
  tickOf: (pair: string) => number | null,
): string {
  const [position, ...others] = positions;
  if (position === undefined) return "Breach price: none, because no position is open.";
  if (others.length > 0) {
    return `Breach price: none for ${positions.length} open positions together.`;
  }
  const { breachPrice } = limit;
  const pair = position.tradePair;
  if (breachPrice === null) return `Breach price: no price of ${pair} breaches this limit.`;
  const side = position.positionType === "LONG" ? "bid" : "ask";
  const when = limit.isLive ? "" : " Only the price at 00:00 UTC counts.";
  const away = awayText(breachPrice, position, markets);
  return `Breach price: ${pair} ${priceText(breachPrice, { tick: tickOf(pair) })} (${side})${away}.${when}`;
}

function awayText(price: number, position: PositionItem, markets: readonly MarketView[]): string {
  const quote = markets.find(({ pair }) => pair === position.tradePair)?.quote ?? null;
  if (quote === null) return "";
  const mark = position.positionType === "LONG" ? quote.bid : quote.ask;
  return `, ${percentText((Math.abs(price - mark) * 100) / mark)} away`;
}

/** The effects of the next 00:00 UTC. */
export function midnightText(account: Account): string {
  const rules = account.drawdownRules;
  const trailing =
    rules?.maxLoss.rule === "eod_trailing" ? " The maximum loss limit is checked." : "";
  const pro = account.isPro ? " The pro track's day is judged." : "";
  return `The day ends: its return is recorded, and the daily loss limit restarts from the equity at that time.${trailing}${pro}`;
}

/** The effects of the next Monday 00:00 UTC. */
export function mondayText(account: Account): string {
  switch (account.challenge.bucket) {
    case "SUBACCOUNT_FUNDED":
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
  }
}
