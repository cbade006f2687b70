import type { Command } from "commander";
import type { Terminal } from "../../terminal.ts";
import { addBracket } from "./bracket.ts";
import { addEdit } from "./edit.ts";
import { addEntries } from "./entry.ts";
import { addCancel, addFlat } from "./take-back.ts";

/** `propgate order …`: everything that changes what rests or is open. */
export function addOrder(program: Command, terminal: Terminal): void {
  const order = program
    .command("order")
    .summary("place, edit, cancel; close positions")
    .description(
      "Place, edit and cancel orders, and close positions. Each is sent once, after a question that " +
        "--yes answers, and ends with what became of it: accepted (0), rejected (1) or unknown (6).",
    );
  for (const add of [addEntries, addBracket, addEdit, addCancel, addFlat]) add(order, terminal);
}
