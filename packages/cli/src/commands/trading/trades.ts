import { TRADE, type TradeItem } from "@propgate/contract";
import type { Command } from "commander";
import { table } from "../../output.ts";
import { columnsOf } from "../../render/csv.ts";
import { exact, minute, signedMoney } from "../../render/figures.ts";
import { bySign, type Paint } from "../../render/paint.ts";
import type { Terminal } from "../../terminal.ts";
import { addRead } from "./read-command.ts";

/** `propgate trades`: lists closed trades. */
export function addTrades(program: Command, terminal: Terminal): void {
  addRead(program, terminal, {
    name: "trades",
    summary: "list closed trades, newest first",
    description:
      "List closed trades, newest first. PnL is USD after fees; times are UTC. --csv prints a file for " +
      "a spreadsheet.",
    run: async (service, paint) => {
      const trades = await service.trades();
      return { value: trades, columns: columnsOf(TRADE), lines: tradeLines(trades, paint) };
    },
  });
}

function tradeLines(trades: readonly TradeItem[], paint: Paint): readonly string[] {
  if (trades.length === 0) return ["No closed trades."];
  const rows = trades.map((trade) => [
    minute(trade.closeTimeMs),
    trade.tradePairDisplay,
    trade.positionType,
    exact(trade.quantity),
    exact(trade.entryPriceNumeric),
    exact(trade.closePriceNumeric),
    bySign(paint, signedMoney(trade.realizedPnl - trade.totalFees)),
  ]);
  return table(["closed", "pair", "side", "quantity", "entry", "close", "pnl"], rows);
}
