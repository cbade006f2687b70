import type { PositionItem } from "@propgate/contract";
import type { Command } from "commander";
import { table } from "../../output.ts";
import { exact, shortId, signedMoney } from "../../render/figures.ts";
import { bySign, type Paint } from "../../render/paint.ts";
import type { Terminal } from "../../terminal.ts";
import { addRead } from "./read-command.ts";

/** `propgate positions`: what is open. */
export function addPositions(program: Command, terminal: Terminal): void {
  addRead(program, terminal, {
    name: "positions",
    summary: "list open positions",
    description:
      "List open positions with their PnL at the mark. Money is USD, quantity in the pair's lot unit. " +
      "--json has every field.",
    run: async (service, paint) => {
      const positions = await service.positions();
      return { value: positions, lines: positionLines(positions, paint) };
    },
  });
}

const COLUMNS = ["id", "pair", "side", "quantity", "entry", "open pnl", "stop", "target"];

export function positionLines(positions: readonly PositionItem[], paint: Paint): readonly string[] {
  if (positions.length === 0) return ["Nothing is open."];
  const rows = positions.map((position) => [
    shortId(position.positionUuid),
    position.tradePairDisplay,
    position.positionType,
    exact(position.netQuantity),
    exact(position.averageEntryPrice),
    bySign(paint, signedMoney(position.unrealizedPnl)),
    exact(position.stopLoss),
    exact(position.takeProfit),
  ]);
  const known = positions.map(({ unrealizedPnl }) => unrealizedPnl);
  const sum = known.some((one) => one === null)
    ? null
    : known.reduce((total: number, one) => total + (one ?? 0), 0);
  return [...table(COLUMNS, rows), "", `open PnL  ${bySign(paint, signedMoney(sum))}`];
}
