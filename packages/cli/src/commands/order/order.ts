import type { Command } from "commander";
import type { Terminal } from "../../terminal.ts";
import { addBracket } from "./bracket.ts";
import { addCancel, addFlat } from "./cancel-flat.ts";
import { addEdit } from "./edit.ts";
import { addEntries } from "./entry.ts";
import { addShow } from "./show.ts";

/** `propgate order …`: the commands that change orders and positions. */
export function addOrder(program: Command, terminal: Terminal): void {
  const order = program
    .command("order")
    .summary("place, edit, cancel; close positions")
    .description(
      "Place, edit and cancel orders, and close positions. Each order is sent once, after a confirmation " +
        "that --yes skips, and ends with its fate: accepted (0), rejected (1) or unknown (6).",
    );
  for (const add of [addEntries, addBracket, addEdit, addCancel, addFlat, addShow])
    add(order, terminal);
}
