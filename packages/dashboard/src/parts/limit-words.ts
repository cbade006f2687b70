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
import { fixedText, percentText, plainText } from "../format/numbers.ts";
import { countdownText } from "../format/times.ts";
import { type LimitSeverity, limitSeverityOf } from "./meter.tsx";

/** One loss limit with the words and figures that the pages show. */
export interface LimitReading extends LossLimitItem<Linked> {
  readonly name: string;
  /** The path of the limit in GET account. */
  readonly field: string;
  /** The used share of the limit at this moment, in percent. Null for a limit of zero, and while it is unknown. */
  readonly share: number | null;
  /** The words for the equity from which the loss is measured, such as "from the starting balance". */
  readonly measuredFrom: string;
}

/** Every limit of the account, in the API's order. */
export function limitReadings({ limits }: DrawdownRules<Linked>): readonly LimitReading[] {
  return limits.map((limit, index) => ({
    ...limit,
    name: lossRuleLabel(limit.rule),
    field: `drawdownRules.limits[${index}]`,
    share: shareOf(limit),
    measuredFrom: MEASURED_FROM.get(limit.rule) ?? "from",
  }));
}

function shareOf({ usedPctNow, limitPct }: LossLimitItem<Linked>): number | null {
  if (usedPctNow === null || limitPct === null || limitPct <= 0) return null;
  return (usedPctNow * 100) / limitPct;
}

/**
 * The limit with the smallest remaining loss at this moment. Null while the remaining loss of any limit is unknown, and
 * when the account has no limit.
 */
export function bindingLimit(limits: readonly LimitReading[]): LimitReading | null {
  let binding: LimitReading | null = null;
  for (const limit of limits) {
    if (limit.remainingNow === null) return null;
    if (binding?.remainingNow == null || limit.remainingNow < binding.remainingNow) binding = limit;
  }
  return binding;
}

/** The limit of which the greatest share is used at this moment. Null while every share is unknown. */
export function nearestLimit(limits: readonly LimitReading[]): LimitReading | null {
  let nearest: LimitReading | null = null;
  for (const limit of limits) {
    if (limit.share !== null && limit.share > (nearest?.share ?? -1)) nearest = limit;
  }
  return nearest;
}

const ANCHORS: Readonly<Record<LossRuleWord, string>> = {
  dailyLoss: "from the equity at 00:00 UTC",
  static: "from the starting balance, which is fixed",
  eod_trailing: "from the high-water mark, the highest equity of any 00:00 UTC",
};

/** This is a map, because a newer service may send a word that is not in the table. */
const MEASURED_FROM: ReadonlyMap<string, string> = new Map(Object.entries(ANCHORS));

/** The used percentage of a limit in words: `1.20 of 5 %`. */
export function usedText(
  usedPct: number | null | undefined,
  { limitPct }: Pick<LimitReading, "limitPct">,
): string {
  return `${fixedText(usedPct, 2)} of ${plainText(limitPct)} %`;
}

/**
 * The words that follow the amount of the remaining loss: `left` or `below the floor`. For a limit that is checked at
 * the end of the day, `if the day ended now` is added.
 */
export function remainingLossText({ remainingNow, checked }: LossLimitItem<Linked>): string {
  const where = remainingNow !== null && remainingNow < 0 ? "below the floor" : "left";
  return checked === "live" ? where : `${where} if the day ended now`;
}

const LIMIT_STATE_WORDS: Readonly<Record<LimitSeverity, string>> = {
  ok: "within the limit",
  notice: "half used",
  warn: "three quarters used",
  danger: "nearly used up",
  unknown: "unknown",
};

/** The words that follow the amount of the remaining loss and name the limit, such as `by the daily loss limit`. */
export function bindingText({ name, checked, remainingNow }: LimitReading): string {
  const limit = `the ${name.toLowerCase()} limit`;
  const where = remainingNow !== null && remainingNow < 0 ? "below the floor of" : "by";
  return checked === "live" ? `${where} ${limit}` : `${where} ${limit}, if the day ended now`;
}

/** The state of a limit in words, judged at this moment. */
export function limitStateText({ share, checked, remainingNow }: LimitReading): string {
  if (remainingNow === null || remainingNow >= 0) return LIMIT_STATE_WORDS[limitSeverityOf(share)];
  return checked === "live" ? "passed" : "below the floor";
}

/** When the limit is checked next, in words. */
export function checkText(limit: LossLimitItem<Linked>, nowMs: number): string {
  if (limit.checked === "live") return "Checked on every price";
  if (limit.nextCheckMs === null) return "No longer checked";
  if (limit.nextCheckMs <= nowMs) return "Checked as soon as the end of the day is processed";
  return `Checked at 00:00 UTC, in ${countdownText(limit.nextCheckMs, nowMs)}`;
}

/**
 * The field of the API behind `breachText`. With one position it is a price, with several it is a move of all prices.
 */
export function breachField(
  positions: readonly PositionItem<Linked>[],
): "breachPrice" | "breachMovePct" {
  return positions.length > 1 ? "breachMovePct" : "breachPrice";
}

/** The price of the only position, or the move of all positions, at which this limit would be breached, in words. */
export function breachText(
  limit: LossLimitItem<Linked>,
  { network, positions, markets }: Pick<AccountStateView, "network" | "positions" | "markets">,
  tickOf: (pair: string) => number | null,
): string {
  if (network === "vanta") return "Breach price: unknown, because the validator sends no prices.";
  const [position, ...others] = positions;
  if (position === undefined) return "Breach price: none, because no position is open.";
  if (others.length > 0) return moveText(limit, positions.length);
  const { breachPrice } = limit;
  const pair = position.tradePair;
  if (breachPrice === null) return `Breach price: no price of ${pair} breaches this limit.`;
  const side = position.positionType === "LONG" ? "bid" : "ask";
  const when = limit.checked === "live" ? "" : " Only the price at 00:00 UTC counts.";
  const away = awayText(breachPrice, position, markets);
  return `Breach price: ${pair} ${priceText(breachPrice, { tick: tickOf(pair) })} (${side})${away}.${when}`;
}

function moveText({ breachMovePct, checked }: LossLimitItem<Linked>, count: number): string {
  if (checked !== "live") return "Breach move: none, because only 00:00 UTC counts.";
  if (breachMovePct === null)
    return `Breach move: no move of the ${count} prices breaches this limit.`;
  return `Breach move: ${percentText(breachMovePct)} against all ${count} positions.`;
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

/** The effects of the next 00:00 UTC on the account, in words. */
export function midnightText(account: Account<Linked>): string {
  const checked = (account.drawdownRules?.limits ?? [])
    .filter((limit) => limit.checked === "end_of_day")
    .map(({ rule }) => ` The ${lossRuleLabel(rule).toLowerCase()} limit is checked.`);
  const pro = account.isPro ? " The pro track's day is judged." : "";
  return `The day ends: its return is recorded, and the daily loss limit restarts from the equity at that time.${checked.join("")}${pro}`;
}

/** The effects of the next Monday 00:00 UTC on the account, in words. */
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
