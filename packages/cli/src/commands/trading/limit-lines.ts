import { type Account, type Linked, type LossLimitItem, lossRuleLabel } from "@propgate/contract";
import { bar } from "../../render/chart.ts";
import { decimal, money, percent, time } from "../../render/figures.ts";
import type { Paint } from "../../render/paint.ts";

const BAR_WIDTH = 24;
/** A limit is near when this share of it is used. */
const NEAR = 0.75;

/** Every loss limit as a bar, which shows how much of the limit is used, and how much is left. @rule D12.limitNow */
export function limitLines({ drawdownRules }: Account<Linked>, paint: Paint): readonly string[] {
  // A service that implements only the specification sends no list of limits.
  const sent = drawdownRules?.limits;
  if (sent === undefined) return [`loss limits  ${bar(null, BAR_WIDTH)}  not known`];
  const limits = sent.map((limit) => ({ ...limit, name: limitName(limit) }));
  const width = Math.max(...limits.map(({ name }) => name.length));
  return limits.flatMap((limit) => lines(limit, { width, paint }));
}

/** The name of a limit in lower case: `daily loss`. */
export function limitName({ rule }: Pick<LossLimitItem<Linked>, "rule">): string {
  return lossRuleLabel(rule).toLowerCase();
}

function lines(
  limit: LossLimitItem<Linked> & { readonly name: string },
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  const share = shareOf(limit);
  const drawn = coloured(share, paint)(bar(share, BAR_WIDTH));
  const used = `${percent(limit.usedPctNow)} of ${percent(limit.limitPct)}`;
  const more = [lastCheck(limit), ahead(limit)].filter((line) => line !== "");
  return [
    `${limit.name.padEnd(width)}  ${drawn}  ${used}, ${remaining(limit.remainingNow)}`,
    ...more.map((line) => `${"".padEnd(width)}  ${paint.dim(line)}`),
  ];
}

/**
 * The loss that is left: `3,911.20 left`. A limit that is checked at the end of the day may be exceeded earlier in the
 * day: the text is then `… below floor`.
 */
function remaining(usd: number | null): string {
  return usd !== null && usd < 0 ? `${money(-usd)} below floor` : `${money(usd)} left`;
}

/**
 * The figures of the last check, for a limit that is checked at the end of the day; empty for a limit that is checked
 * at every price.
 */
function lastCheck({ checked, usedPct, remaining: left }: LossLimitItem<Linked>): string {
  return checked === "live" ? "" : `at the last check ${percent(usedPct)}, ${money(left)} left`;
}

function ahead({ nextCheckMs, breachPrice, breachMovePct }: LossLimitItem<Linked>): string {
  return [
    ...(nextCheckMs === null ? [] : [`checked ${time(nextCheckMs)}`]),
    ...(breachPrice === null ? [] : [`breach price ${decimal(breachPrice)}`]),
    ...(breachMovePct === null ? [] : [`breach move ${percent(breachMovePct)}`]),
  ].join(", ");
}

/** The share of a limit that is used at this moment. Null when the network did not send it, and for a limit of zero. */
function shareOf({ usedPctNow, limitPct }: LossLimitItem<Linked>): number | null {
  return usedPctNow === null || limitPct === null || limitPct <= 0 ? null : usedPctNow / limitPct;
}

function coloured(share: number | null, paint: Paint): (text: string) => string {
  if (share === null) return paint.dim;
  if (share >= 1) return paint.bad;
  return share >= NEAR ? paint.warn : paint.good;
}
