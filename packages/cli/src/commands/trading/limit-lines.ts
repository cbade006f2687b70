import { type Account, type Linked, type LossLimitItem, lossRuleLabel } from "@propgate/contract";
import { bar } from "../../render/chart.ts";
import { exact, money, percent, time } from "../../render/figures.ts";
import type { Paint } from "../../render/paint.ts";

const BAR_WIDTH = 24;
/** From here on a limit is near. */
const NEAR = 0.75;

/** Every loss limit as a bar: how much of it is used and what is left. */
export function limitLines({ drawdownRules }: Account<Linked>, paint: Paint): readonly string[] {
  if (drawdownRules === null) return [`loss limits  ${bar(null, BAR_WIDTH)}  not known`];
  const limits = drawdownRules.limits.map((limit) => ({ ...limit, name: limitName(limit) }));
  const width = Math.max(...limits.map(({ name }) => name.length));
  return limits.flatMap((limit) => lines(limit, { width, paint }));
}

/** `daily loss` */
export function limitName({ rule }: Pick<LossLimitItem<Linked>, "rule">): string {
  return lossRuleLabel(rule).toLowerCase();
}

function lines(
  limit: LossLimitItem<Linked> & { readonly name: string },
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  const share = shareOf(limit);
  const drawn = coloured(share, paint)(bar(share, BAR_WIDTH));
  const used = `${percent(limit.usedPct)} of ${percent(limit.limitPct)}`;
  const ahead = [
    ...(limit.nextCheckMs === null ? [] : [`checked ${time(limit.nextCheckMs)}`]),
    ...(limit.breachPrice === null ? [] : [`breach price ${exact(limit.breachPrice)}`]),
  ].join(", ");
  return [
    `${limit.name.padEnd(width)}  ${drawn}  ${used}, ${money(limit.remaining)} left`,
    ...(ahead === "" ? [] : [`${"".padEnd(width)}  ${paint.dim(ahead)}`]),
  ];
}

/** The used share of a limit; null when the network did not send it. */
function shareOf({ usedPct, limitPct }: LossLimitItem<Linked>): number | null {
  return usedPct === null || limitPct === null || limitPct <= 0 ? null : usedPct / limitPct;
}

function coloured(share: number | null, paint: Paint): (text: string) => string {
  if (share === null) return paint.dim;
  if (share >= 1) return paint.bad;
  return share >= NEAR ? paint.warn : paint.good;
}
