import { type Linked, type PendingOrder, POSITION, type PositionItem } from "@propgate/contract";
import type { Command } from "commander";
import { tableLines } from "../../output.ts";
import { columnsOf } from "../../render/csv.ts";
import { decimalText, shortId, signedMoneyText } from "../../render/figures.ts";
import { bySign, type Paint } from "../../render/paint.ts";
import { createPriceReader, type PriceTexts, WITHOUT_TICKS } from "../../render/prices.ts";
import type { Terminal } from "../../terminal.ts";
import { currentTrailingText, isTrailing } from "../order/legs.ts";
import { addReadCommand } from "./read-command.ts";

/** `propgate positions`: lists open positions. */
export function addPositions(program: Command, terminal: Terminal): void {
  addReadCommand(program, terminal, {
    name: "positions",
    summary: "list open positions",
    description:
      "List open positions with their PnL at the mark. Money is USD, quantity in the pair's lot unit. " +
      "--json has every field.",
    run: async (service, paint, isForPerson) => {
      const positions = await service.positions();
      // A position has the price of its stop, but not whether the stop trails. The legs have that, at the cost of one
      // more read.
      const hasStop = positions.some(({ stopLoss }) => stopLoss !== null);
      const legs = isForPerson && hasStop ? await service.pendingOrders() : [];
      const hasPrices = isForPerson && positions.length > 0;
      const prices = hasPrices ? await createPriceReader(service)() : WITHOUT_TICKS;
      return {
        value: positions,
        columns: columnsOf(POSITION),
        lines: [...positionLines(positions, paint, prices), ...trailingLines(positions, legs)],
      };
    },
  });
}

/** A line for each trailing stop of these positions. */
function trailingLines(
  positions: readonly PositionItem<Linked>[],
  orders: readonly PendingOrder[],
): readonly string[] {
  const lines = positions.flatMap(({ positionUuid, tradePairDisplay }) =>
    orders
      .filter((order) => order.positionUuid === positionUuid && isTrailing(order))
      .map((leg) => `${shortId(positionUuid)}  ${tradePairDisplay}  ${currentTrailingText(leg)}`),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

const COLUMNS = ["id", "pair", "side", "quantity", "entry", "open pnl", "stop", "target"];

/** The table of open positions for a person. */
export function positionLines(
  positions: readonly PositionItem<Linked>[],
  paint: Paint,
  prices: PriceTexts,
): readonly string[] {
  if (positions.length === 0) return ["No open positions."];
  const rows = positions.map((position) => [
    shortId(position.positionUuid),
    position.tradePairDisplay,
    position.positionType,
    decimalText(position.netQuantity),
    prices(position.tradePair, position.averageEntryPrice),
    bySign(paint, signedMoneyText(position.unrealizedPnl)),
    prices(position.tradePair, position.stopLoss, "sent"),
    prices(position.tradePair, position.takeProfit, "sent"),
  ]);
  const known = positions.map(({ unrealizedPnl }) => unrealizedPnl);
  const sum = known.some((one) => one === null)
    ? null
    : known.reduce((total: number, one) => total + (one ?? 0), 0);
  return [...tableLines(COLUMNS, rows), "", `open PnL  ${bySign(paint, signedMoneyText(sum))}`];
}
