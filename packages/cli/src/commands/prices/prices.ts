import type { Command } from "commander";
import type { Terminal } from "../../terminal.ts";
import { addServeOptions, type ServeOptions, serve } from "../serve.ts";
import { addPricesExport } from "./export.ts";
import { addPricesRecord } from "./record.ts";
import { addPricesVerify } from "./verify.ts";

/** `propgate prices record|export|replay|verify`: works with recorded prices. */
export function addPrices(program: Command, terminal: Terminal): void {
  const prices = program
    .command("prices")
    .summary("record, export, replay and verify prices")
    .description(
      "A service records every accepted quote in the folder tape of its data folder. These commands work " +
        "on such a folder, also while a service writes it.",
    );
  addPricesRecord(prices, terminal);
  addPricesExport(prices, terminal);
  addPricesReplay(prices, terminal);
  addPricesVerify(prices, terminal);
}

function addPricesReplay(prices: Command, terminal: Terminal): void {
  const command = prices
    .command("replay")
    .summary("run the service on a recording")
    .description(
      "Run the service on recorded prices: the same as propgate serve --replay. A recording is a folder of " +
        "tapes, a pair's folder or one file of it, or a CSV file. PAIR=PATH takes one pair of it.",
    )
    .argument("<recording...>", "PATH or PAIR=PATH");
  addServeOptions(command);
  command.action((recordings: readonly string[]) =>
    serve({ ...command.optsWithGlobals<ServeOptions>(), replay: recordings }, terminal),
  );
}
