import type { Account, Linked } from "@propgate/contract";
import type { Command } from "commander";
import { nameValueLines } from "../../output.ts";
import {
  decimalMultipleText,
  moneyText,
  multipleText,
  percentText,
  signedMoneyText,
  timeText,
  UNKNOWN_TEXT,
} from "../../render/figures.ts";
import { bySign, type Paint } from "../../render/paint.ts";
import type { Terminal } from "../../terminal.ts";
import { limitLines } from "./limit-lines.ts";
import { addReadCommand } from "./read-command.ts";

/** `propgate account`: shows the account's money, limits and progress. */
export function addAccount(program: Command, terminal: Terminal): void {
  addReadCommand(program, terminal, {
    name: "account",
    summary: "show the account: money, limits, progress",
    description:
      "Show the key's account: its money, its loss limits and its progress. Money is USD.",
    run: async (service, paint) => {
      const account = await service.account();
      return { value: account, lines: accountLines(account, paint) };
    },
  });
}

function accountLines(account: Account<Linked>, paint: Paint): readonly string[] {
  const stale = account.meta.stale
    ? [paint.warn("Some values are placeholders: a source of the service did not answer.")]
    : [];
  return [
    paint.strong(account.evaluation.title),
    ...nameValueLines([
      ["account", account.accountId],
      ["status", statusOf(account, paint)],
      ["as of", timeText(account.meta.generatedAtMs)],
      ...switchRow(account, paint),
    ]),
    ...stale,
    "",
    ...figureLines(account, paint),
    "",
    ...limitLines(account, paint),
    "",
    ...progressLines(account),
  ];
}

function statusOf({ evaluation, elimination }: Account<Linked>, paint: Paint): string {
  if (!evaluation.isEliminated) return evaluation.status;
  const why = elimination?.reason ?? "no reason recorded";
  return paint.bad(`${evaluation.status}, ${timeText(elimination?.atMs)}: ${why}`);
}

/** The row of an armed dead man's switch; none while it is not armed. */
function switchRow(
  { cancelAllAfter }: Account<Linked>,
  paint: Paint,
): readonly (readonly [string, string])[] {
  if (cancelAllAfter == null) return [];
  const { atMs, action } = cancelAllAfter;
  const acts = action === "flatten" ? "closes everything" : "cancels all orders";
  return [["switch", paint.warn(`${acts} at ${timeText(atMs)}`)]];
}

function figureLines({ account }: Account<Linked>, paint: Paint): readonly string[] {
  const rows: readonly (readonly [string, string, string])[] = [
    ["balance", moneyText(account.currentBalance), ""],
    ["equity", moneyText(account.currentEquity), ""],
    ["today", signedMoneyText(account.todayPnl), percentText(account.todayPnlPct)],
    ["total PnL", signedMoneyText(account.totalPnL), percentText(account.totalPnLPercent)],
    ["open PnL", signedMoneyText(account.openPnL), percentText(account.openPnLPercent)],
    ["buying power", moneyText(account.buyingPower), ""],
    [
      "leverage",
      multipleText(account.currentLeverage),
      `of ${decimalMultipleText(account.maxLeverage)}`,
    ],
  ];
  const width = Math.max(...rows.map(([, value]) => value.length));
  return nameValueLines(
    rows.map(([name, value, more]) => [
      name,
      `${" ".repeat(width - value.length)}${bySign(paint, value)}  ${more}`,
    ]),
  );
}

function progressLines({
  challenge,
  performance,
  tradingDays,
  isPro,
}: Account<Linked>): readonly string[] {
  // `totalTrades` counts open positions too. The duration is unknown until a trade was closed, and so is the win rate.
  const isAnyClosed = performance.tradeDuration !== UNKNOWN_TEXT;
  const won = isAnyClosed ? percentText(performance.winRate) : UNKNOWN_TEXT;
  return nameValueLines([
    ["profit target", targetText(challenge)],
    ["trades", `${performance.totalTrades}, won ${won}, held ${performance.tradeDuration}`],
    ...(isPro
      ? [["trading days", tradingDays === null ? UNKNOWN_TEXT : String(tradingDays)] as const]
      : []),
  ]);
}

function targetText({
  profitTarget,
  profitTargetPercent,
  remaining,
}: Account<Linked>["challenge"]): string {
  if (profitTarget === null) return UNKNOWN_TEXT;
  return profitTarget === 0
    ? "none"
    : `${moneyText(profitTarget)} (${percentText(profitTargetPercent)}), ${moneyText(remaining)} to go`;
}
