import type { Account } from "@propgate/contract";
import { bar } from "../../render/chart.ts";
import { exact, money, percent, time } from "../../render/figures.ts";
import type { Paint } from "../../render/paint.ts";

const BAR_WIDTH = 24;
/** From here on a limit is near. */
const NEAR = 0.75;

interface Limit {
  readonly name: string;
  readonly usedPct: number;
  readonly limitPct: number;
  readonly remaining: number | null | undefined;
  readonly nextCheckMs: number | null | undefined;
  readonly breachPrice: number | null | undefined;
}

/** The two loss limits as bars: how much of each is used and what is left. */
export function limitLines({ drawdownRules }: Account, paint: Paint): readonly string[] {
  if (drawdownRules === null) return [`loss limits  ${bar(null, BAR_WIDTH)}  not known`];
  const { dailyLoss, maxLoss } = drawdownRules;
  const other = maxLoss.rule === "static" ? "static loss" : "end-of-day trailing";
  const limits: readonly Limit[] = [
    { name: "daily loss", ...dailyLoss },
    { name: other, ...maxLoss },
  ];
  const width = Math.max(...limits.map(({ name }) => name.length));
  return limits.flatMap((limit) => lines(limit, { width, paint }));
}

function lines(
  limit: Limit,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  const share = limit.limitPct > 0 ? limit.usedPct / limit.limitPct : null;
  const drawn = coloured(share, paint)(bar(share, BAR_WIDTH));
  const used = `${percent(limit.usedPct)} of ${percent(limit.limitPct)}`;
  const ahead = [
    ...(isKnown(limit.nextCheckMs) ? [`checked ${time(limit.nextCheckMs)}`] : []),
    ...(isKnown(limit.breachPrice) ? [`met at ${exact(limit.breachPrice)}`] : []),
  ].join(", ");
  return [
    `${limit.name.padEnd(width)}  ${drawn}  ${used}, ${money(limit.remaining)} left`,
    ...(ahead === "" ? [] : [`${"".padEnd(width)}  ${paint.dim(ahead)}`]),
  ];
}

function coloured(share: number | null, paint: Paint): (text: string) => string {
  if (share === null) return paint.dim;
  if (share >= 1) return paint.bad;
  return share >= NEAR ? paint.warn : paint.good;
}

function isKnown(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}
