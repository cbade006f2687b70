import type { Account, Linked } from "@propgate/contract";
import type { Command } from "commander";
import { pairs } from "../../output.ts";
import {
  decimalMultiple,
  money,
  multiple,
  percent,
  signedMoney,
  time,
  UNKNOWN,
} from "../../render/figures.ts";
import { bySign, type Paint } from "../../render/paint.ts";
import type { Terminal } from "../../terminal.ts";
import { limitLines } from "./limit-lines.ts";
import { addRead } from "./read-command.ts";

/** `propgate account`: shows the account's money, limits and progress. */
export function addAccount(program: Command, terminal: Terminal): void {
  addRead(program, terminal, {
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
    ...pairs([
      ["account", account.accountId],
      ["status", statusOf(account, paint)],
      ["as of", time(account.meta.generatedAtMs)],
      ...switchRow(account, paint),
    ]),
    ...stale,
    "",
    ...figures(account, paint),
    "",
    ...limitLines(account, paint),
    "",
    ...progress(account),
  ];
}

function statusOf({ evaluation, elimination }: Account<Linked>, paint: Paint): string {
  if (!evaluation.isEliminated) return evaluation.status;
  const why = elimination?.reason ?? "no reason recorded";
  return paint.bad(`${evaluation.status}, ${time(elimination?.atMs)}: ${why}`);
}

/** The row of an armed dead man's switch; none while it is not armed. */
function switchRow(
  { cancelAllAfter }: Account<Linked>,
  paint: Paint,
): readonly (readonly [string, string])[] {
  if (cancelAllAfter == null) return [];
  const { atMs, action } = cancelAllAfter;
  const acts = action === "flatten" ? "closes everything" : "cancels all orders";
  return [["switch", paint.warn(`${acts} at ${time(atMs)}`)]];
}

function figures({ account }: Account<Linked>, paint: Paint): readonly string[] {
  const rows: readonly (readonly [string, string, string])[] = [
    ["balance", money(account.currentBalance), ""],
    ["equity", money(account.currentEquity), ""],
    ["today", signedMoney(account.todayPnl), percent(account.todayPnlPct)],
    ["total PnL", signedMoney(account.totalPnL), percent(account.totalPnLPercent)],
    ["open PnL", signedMoney(account.openPnL), percent(account.openPnLPercent)],
    ["buying power", money(account.buyingPower), ""],
    ["leverage", multiple(account.currentLeverage), `of ${decimalMultiple(account.maxLeverage)}`],
  ];
  const width = Math.max(...rows.map(([, value]) => value.length));
  return pairs(
    rows.map(([name, value, more]) => [
      name,
      `${" ".repeat(width - value.length)}${bySign(paint, value)}  ${more}`,
    ]),
  );
}

function progress({
  challenge,
  performance,
  tradingDays,
  isPro,
}: Account<Linked>): readonly string[] {
  // `totalTrades` counts open positions too. The duration is unknown until a trade was closed, and so is the win rate.
  const isAnyClosed = performance.tradeDuration !== UNKNOWN;
  const won = isAnyClosed ? percent(performance.winRate) : UNKNOWN;
  return pairs([
    ["profit target", targetText(challenge)],
    ["trades", `${performance.totalTrades}, won ${won}, held ${performance.tradeDuration}`],
    ...(isPro
      ? [["trading days", tradingDays === null ? UNKNOWN : String(tradingDays)] as const]
      : []),
  ]);
}

function targetText({
  profitTarget,
  profitTargetPercent,
  remaining,
}: Account<Linked>["challenge"]): string {
  if (profitTarget === null) return UNKNOWN;
  return profitTarget === 0
    ? "none"
    : `${money(profitTarget)} (${percent(profitTargetPercent)}), ${money(remaining)} to go`;
}
