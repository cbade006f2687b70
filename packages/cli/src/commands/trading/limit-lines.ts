import { type Account, type Linked, type LossLimitItem, lossRuleLabel } from "@propgate/contract";
import { shareBar } from "../../render/chart.ts";
import { decimalText, moneyText, percentText, timeText } from "../../render/figures.ts";
import type { Paint } from "../../render/paint.ts";

const BAR_WIDTH = 24;
/** A limit is near when this share of it is used. */
const NEAR_SHARE = 0.75;

/** Every loss limit as a bar, which shows how much of the limit is used, and how much is left. @rule D12.limitNow */
export function limitLines({ drawdownRules }: Account<Linked>, paint: Paint): readonly string[] {
  // A service that implements only the specification sends no list of limits.
  const sent = drawdownRules?.limits;
  if (sent === undefined) return [`loss limits  ${shareBar(null, BAR_WIDTH)}  not known`];
  const limits = sent.map((limit) => ({ ...limit, name: limitName(limit) }));
  const width = Math.max(...limits.map(({ name }) => name.length));
  return limits.flatMap((limit) => limitItemLines(limit, { width, paint }));
}

/** The name of a limit in lower case: `daily loss`. */
export function limitName({ rule }: Pick<LossLimitItem<Linked>, "rule">): string {
  return lossRuleLabel(rule).toLowerCase();
}

function limitItemLines(
  limit: LossLimitItem<Linked> & { readonly name: string },
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  const share = shareOf(limit);
  const drawn = paintByShare(share, paint)(shareBar(share, BAR_WIDTH));
  const used = `${percentText(limit.usedPctNow)} of ${percentText(limit.limitPct)}`;
  const more = [lastCheckText(limit), nextCheckText(limit)].filter((line) => line !== "");
  return [
    `${limit.name.padEnd(width)}  ${drawn}  ${used}, ${remainingText(limit.remainingNow)}`,
    ...more.map((line) => `${"".padEnd(width)}  ${paint.dim(line)}`),
  ];
}

/**
 * The loss that is left: `3,911.20 left`. A limit that is checked at the end of the day may be exceeded earlier in the
 * day: the text is then `… below floor`.
 */
function remainingText(usd: number | null): string {
  return usd !== null && usd < 0 ? `${moneyText(-usd)} below floor` : `${moneyText(usd)} left`;
}

/**
 * The figures of the last check, for a limit that is checked at the end of the day; empty for a limit that is checked
 * at every price.
 */
function lastCheckText({ checked, usedPct, remaining: left }: LossLimitItem<Linked>): string {
  return checked === "live"
    ? ""
    : `at the last check ${percentText(usedPct)}, ${moneyText(left)} left`;
}

function nextCheckText({ nextCheckMs, breachPrice, breachMovePct }: LossLimitItem<Linked>): string {
  return [
    ...(nextCheckMs === null ? [] : [`checked ${timeText(nextCheckMs)}`]),
    ...(breachPrice === null ? [] : [`breach price ${decimalText(breachPrice)}`]),
    ...(breachMovePct === null ? [] : [`breach move ${percentText(breachMovePct)}`]),
  ].join(", ");
}

/** The share of a limit that is used at this moment. Null when the network did not send it, and for a limit of zero. */
function shareOf({ usedPctNow, limitPct }: LossLimitItem<Linked>): number | null {
  return usedPctNow === null || limitPct === null || limitPct <= 0 ? null : usedPctNow / limitPct;
}

function paintByShare(share: number | null, paint: Paint): (text: string) => string {
  if (share === null) return paint.dim;
  if (share >= 1) return paint.bad;
  return share >= NEAR_SHARE ? paint.warn : paint.good;
}
