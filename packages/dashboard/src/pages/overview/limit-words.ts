import type { Account, DrawdownRules, MarketView, PositionItem } from "@propgate/contract";
import { fixedText, moneyText, percentText, plainText } from "../../format/numbers.ts";
import { countdownText } from "../../format/times.ts";
import { type Strain, strainOf } from "../../parts/meter.tsx";

/** One of the two limits that end an account, as its panel shows it. */
export interface LimitReading {
  readonly name: string;
  /** Where it stands in `drawdownRules` of the API. */
  readonly field: "dailyLoss" | "maxLoss";
  readonly usedPct: number;
  readonly limitPct: number;
  /** How much of the limit is used, percent; null: there is nothing to use. */
  readonly share: number | null;
  readonly remaining: number;
  /** What is left as a percent of what it is measured against. */
  readonly remainingPct: number;
  readonly anchor: { readonly value: number; readonly field: string; readonly words: string };
  /** The equity at which it is met, USD. */
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
        words: "from the equity at the start of the day, 00:00 UTC",
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
          : "from the starting balance, which never moves",
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

/** The equity at which a limit is met, to the micro dollar. */
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

/** The state of a limit without its colour. */
export function strainText({ share, usedPct, limitPct }: LimitReading): string {
  return usedPct > limitPct ? "passed" : STRAINS[strainOf(share)];
}

/** When it is looked at next. */
export function checkText(limit: LimitReading, nowMs: number): string {
  if (limit.isLive) return "checked at every price";
  if (limit.nextCheckMs === null) return "checked no more";
  if (limit.nextCheckMs <= nowMs) return "checked as soon as the day's end has been made up";
  return `checked at 00:00 UTC, in ${countdownText(limit.nextCheckMs, nowMs)}`;
}

/** At which price what is open now would take the account to this limit. */
export function breachText(
  limit: LimitReading,
  positions: readonly PositionItem[],
  markets: readonly MarketView[],
): string {
  const [position, ...others] = positions;
  if (position === undefined) return "Nothing is open that a price could take there.";
  if (others.length > 0) {
    return `${positions.length} positions are open, so no one price leads there.`;
  }
  const { breachPrice } = limit;
  if (breachPrice === null) return `No price of ${position.tradePair} leads there.`;
  const isLong = position.positionType === "LONG";
  const beyond = isLong ? "below it, by the bid," : "above it, by the ask,";
  const when = limit.isLive ? "" : " if it stands there at 00:00 UTC";
  const away = awayText(breachPrice, position, markets);
  return `${position.tradePair} meets it at ${plainText(breachPrice)}${away}; ${beyond} the account ends${when}.`;
}

function awayText(price: number, position: PositionItem, markets: readonly MarketView[]): string {
  const quote = markets.find(({ pair }) => pair === position.tradePair)?.quote ?? null;
  if (quote === null) return "";
  const mark = position.positionType === "LONG" ? quote.bid : quote.ask;
  return `, ${percentText((Math.abs(price - mark) * 100) / mark)} from here`;
}

/** What 00:00 UTC brings. */
export function midnightText(account: Account): string {
  const rules = account.drawdownRules;
  const trailing =
    rules?.maxLoss.rule === "eod_trailing" ? " The maximum loss limit is checked." : "";
  const pro = account.isPro ? " The pro track's day is judged." : "";
  return `The day ends: its return is written down and the daily loss limit starts again from the equity of that moment.${trailing}${pro}`;
}

/** What Monday 00:00 UTC brings. */
export function mondayText(account: Account): string {
  switch (account.challenge.bucket) {
    case "SUBACCOUNT_FUNDED":
    case "PRO_FUNDED":
    case "PRO_CHALLENGE_FROM_STANDARD":
      return "The payout cycle closes, and the next one begins.";
    case "PRO_CHALLENGE_TRANSITION":
      return "The payout cycle closes. The transition ends at the Monday that the notice above names.";
    case "SUBACCOUNT_CHALLENGE":
    case "PRO_CHALLENGE_DIRECT":
      return "Payout cycles close; this account earns payouts once it is funded.";
    case "ELIMINATED":
      return "Nothing: the account has ended.";
  }
}

/** The sentence for what is left, `3,911.20 (3.74%) left`. */
export function leftText({ remaining, remainingPct }: LimitReading): string {
  return `${moneyText(remaining)} USD, ${percentText(remainingPct)} left`;
}
