import type { Account, Linked, PositionItem } from "@propgate/contract";
import { TABLE_WIDTH } from "../../output.ts";
import { sparkline } from "../../render/chart.ts";
import { moneyText, percentText, signedMoneyText, timeText } from "../../render/figures.ts";
import { bySign, type Paint } from "../../render/paint.ts";
import type { PriceTexts } from "../../render/prices.ts";
import { limitLines, limitName } from "./limit-lines.ts";
import { positionLines } from "./positions.ts";

/** The figures of `watch` at one refresh. */
export interface WatchFigures {
  readonly account: Account<Linked>;
  readonly positions: readonly PositionItem<Linked>[];
  readonly prices: PriceTexts;
  /** The equity at this refresh and at up to 599 earlier ones, where it was known, oldest first, USD. */
  readonly equity: readonly number[];
  /** Why the refresh after these figures failed; null when it did not fail. */
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
  const today = bySign(paint, signedMoneyText(figures.todayPnl));
  const open = bySign(paint, signedMoneyText(figures.openPnL));
  const total = bySign(paint, signedMoneyText(figures.totalPnL));
  return [
    `${paint.strong(account.evaluation.title)}  ${account.evaluation.status}`,
    paint.dim(`as of ${timeText(account.meta.generatedAtMs)}`),
    ...(problem === null ? [] : [paint.warn(problem)]),
    "",
    `equity  ${paint.strong(moneyText(figures.currentEquity))}  today ${today}  open ${open}  total ${total}`,
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
    timeText(account.meta.generatedAtMs),
    `equity ${moneyText(account.account.currentEquity)}`,
    `today ${signedMoneyText(account.account.todayPnl)}`,
    `open ${signedMoneyText(account.account.openPnL)}`,
    ...limits.map((limit) => `${limitName(limit)} ${percentText(limit.usedPctNow)}`),
    `positions ${positions.length}`,
    account.evaluation.status,
  ].join(" ");
}
