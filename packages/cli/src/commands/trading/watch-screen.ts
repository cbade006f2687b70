import type { Account, Linked, PositionItem } from "@propgate/contract";
import { TABLE_WIDTH } from "../../output.ts";
import { sparkline } from "../../render/chart.ts";
import { money, percent, signedMoney, time } from "../../render/figures.ts";
import { bySign, type Paint } from "../../render/paint.ts";
import type { PriceTexts } from "../../render/prices.ts";
import { limitLines, limitName } from "./limit-lines.ts";
import { positionLines } from "./positions.ts";

/** The figures of `watch` at one refresh. */
export interface WatchFigures {
  readonly account: Account<Linked>;
  readonly positions: readonly PositionItem<Linked>[];
  readonly prices: PriceTexts;
  /** The equity at this refresh and earlier ones, where it was known, oldest first, USD. */
  readonly equity: readonly number[];
  /** Why the next refresh failed; null when it did not. */
  readonly problem: string | null;
}

/**
 * The lines of the screen. At most 80 columns are used; on a narrower terminal only the line of equity becomes shorter.
 */
export function screenLines(
  moment: WatchFigures,
  paint: Paint,
  columns: number = TABLE_WIDTH,
): readonly string[] {
  const { account, positions, prices, equity, problem } = moment;
  const figures = account.account;
  const today = bySign(paint, signedMoney(figures.todayPnl));
  const open = bySign(paint, signedMoney(figures.openPnL));
  const total = bySign(paint, signedMoney(figures.totalPnL));
  return [
    `${paint.strong(account.evaluation.title)}  ${account.evaluation.status}`,
    paint.dim(`as of ${time(account.meta.generatedAtMs)}`),
    ...(problem === null ? [] : [paint.warn(problem)]),
    "",
    `equity  ${paint.strong(money(figures.currentEquity))}  today ${today}  open ${open}  total ${total}`,
    sparkline(equity, Math.min(columns, TABLE_WIDTH)),
    "",
    ...limitLines(account, paint),
    "",
    ...positionLines(positions, paint, prices),
  ];
}

/** The figures in one line, for output that is not a terminal. */
export function changeLine({ account, positions }: WatchFigures): string {
  const limits = account.drawdownRules?.limits ?? [];
  return [
    time(account.meta.generatedAtMs),
    `equity ${money(account.account.currentEquity)}`,
    `today ${signedMoney(account.account.todayPnl)}`,
    `open ${signedMoney(account.account.openPnL)}`,
    ...limits.map((limit) => `${limitName(limit)} ${percent(limit.usedPctNow)}`),
    `positions ${positions.length}`,
    account.evaluation.status,
  ].join(" ");
}
