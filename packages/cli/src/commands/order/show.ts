import type { Linked, OrderLife } from "@propgate/contract";
import type { Command } from "commander";
import { nameValueLines, printResult, tableLines } from "../../output.ts";
import { addConnectionOptions, type ConnectionOptions } from "../../profile/connection.ts";
import { decimalText, timeText } from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
import { runRead } from "../trading/read-command.ts";
import { differenceEntries } from "./fate-lines.ts";

/** `propgate order show`: shows one order's fills, legs and events, and why it ended. */
export function addShow(order: Command, terminal: Terminal): void {
  const command = addConnectionOptions(order.command("show"))
    .summary("show the life of an order")
    .description(
      "Show an order or leg of any status: its fills, its legs, its events, and why it ended.",
    )
    .argument("<id>", "the order's whole id");
  command.action(async (id: string) => {
    const options = command.optsWithGlobals<ConnectionOptions>();
    await runRead(terminal, options, async (service) => {
      const life = await service.order(id);
      printResult(terminal, options, { value: life, lines: lifeLines(life) });
    });
  });
}

function lifeLines(life: OrderLife<Linked>): readonly string[] {
  const { reason, refusalCode, endedMs } = life;
  const why = refusalCode ?? reason;
  return [
    ...nameValueLines([
      ["order", life.orderUuid],
      ["status", life.status + (why === null ? "" : ` (${why})`)],
      ["kind", `${life.orderType ?? "?"} ${life.executionType ?? "?"} ${life.tradePair}`],
      ["placed", timeText(life.placedMs)],
      ["ended", timeText(endedMs)],
      ["filled", `${decimalText(life.filledQuantity)} at ${decimalText(life.averagePrice)}`],
      ["fee", decimalText(life.fee)],
      ...differenceEntries(life),
      ...life.legs.map((leg): readonly [string, string] => ["leg", leg]),
    ]),
    "",
    ...tableLines(
      ["#", "at", "event"],
      life.events.map(({ sequence, atMs, type }) => [String(sequence), timeText(atMs), type]),
    ),
  ];
}
