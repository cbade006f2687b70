import { type Linked, TRADE, type TradeItem } from "@propgate/contract";
import type { Command } from "commander";
import { tableLines } from "../../output.ts";
import { columnsOf } from "../../render/csv.ts";
import { decimalText, minuteText, signedMoneyText } from "../../render/figures.ts";
import { bySign, type Paint } from "../../render/paint.ts";
import { createPriceReader, type PriceTexts, WITHOUT_TICKS } from "../../render/prices.ts";
import type { Terminal } from "../../terminal.ts";
import { addReadCommand } from "./read-command.ts";

/** `propgate trades`: lists closed trades. */
export function addTrades(program: Command, terminal: Terminal): void {
  addReadCommand(program, terminal, {
    name: "trades",
    summary: "list closed trades, newest first",
    description:
      "List closed trades, newest first. PnL is USD after fees; times are UTC. --csv prints a file for " +
      "a spreadsheet.",
    run: async (service, paint, isForPerson) => {
      const trades = await service.trades();
      const hasPrices = isForPerson && trades.length > 0;
      const prices = hasPrices ? await createPriceReader(service)() : WITHOUT_TICKS;
      return { value: trades, columns: columnsOf(TRADE), lines: tradeLines(trades, paint, prices) };
    },
  });
}

function tradeLines(
  trades: readonly TradeItem<Linked>[],
  paint: Paint,
  prices: PriceTexts,
): readonly string[] {
  if (trades.length === 0) return ["No closed trades."];
  const rows = trades.map((trade) => [
    minuteText(trade.closeTimeMs),
    trade.tradePairDisplay,
    trade.positionType,
    decimalText(trade.quantity),
    prices(trade.tradePair, trade.entryPriceNumeric),
    prices(trade.tradePair, trade.closePriceNumeric),
    bySign(paint, signedMoneyText(netPnl(trade))),
  ]);
  return tableLines(["closed", "pair", "side", "quantity", "entry", "close", "pnl"], rows);
}

/** The result of a trade after fees; null when the network did not send both figures. */
function netPnl({ realizedPnl, totalFees }: TradeItem<Linked>): number | null {
  return realizedPnl === null || totalFees === null ? null : realizedPnl - totalFees;
}
