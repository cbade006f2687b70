import type { Linked, OrderLife } from "@propgate/contract";
import type { Command } from "commander";
import { pairs, print, table } from "../../output.ts";
import { type ConnectionOptions, connectionOptions } from "../../profile/connection.ts";
import { decimal, time } from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
import { runRead } from "../trading/read-command.ts";
import { differenceEntries } from "./fate-lines.ts";

/** `propgate order show`: shows one order's fills, legs and events, and why it ended. */
export function addShow(order: Command, terminal: Terminal): void {
  const command = connectionOptions(order.command("show"))
    .summary("show the life of an order")
    .description(
      "Show an order or leg of any status: its fills, its legs, its events, and why it ended.",
    )
    .argument("<id>", "the order's whole id");
  command.action(async (id: string) => {
    const options = command.optsWithGlobals<ConnectionOptions>();
    await runRead(terminal, options, async (service) => {
      const life = await service.order(id);
      print(terminal, options, { value: life, lines: lifeLines(life) });
    });
  });
}

function lifeLines(life: OrderLife<Linked>): readonly string[] {
  const { reason, refusalCode, endedMs } = life;
  const why = refusalCode ?? reason;
  return [
    ...pairs([
      ["order", life.orderUuid],
      ["status", life.status + (why === null ? "" : ` (${why})`)],
      ["kind", `${life.orderType ?? "?"} ${life.executionType ?? "?"} ${life.tradePair}`],
      ["placed", time(life.placedMs)],
      ["ended", time(endedMs)],
      ["filled", `${decimal(life.filledQuantity)} at ${decimal(life.averagePrice)}`],
      ["fee", decimal(life.fee)],
      ...differenceEntries(life),
      ...life.legs.map((leg): readonly [string, string] => ["leg", leg]),
    ]),
    "",
    ...table(
      ["#", "at", "event"],
      life.events.map(({ sequence, atMs, type }) => [String(sequence), time(atMs), type]),
    ),
  ];
}
