import { isNonce } from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import {
  addConnectionOptions,
  type ConnectionOptions,
  readCredentials,
} from "../../profile/connection.ts";
import type { Terminal } from "../../terminal.ts";
import { openTradingService } from "../../trading/service.ts";
import {
  addSettleTimeoutOption,
  printFate,
  readSettleTimeout,
  type SettleOptions,
} from "./print-fate.ts";

/** `propgate settle`: finds out the fate of an order whose answer was lost. @rule D10.settleDeadline */
export function addSettle(program: Command, terminal: Terminal): void {
  const command = addConnectionOptions(addSettleTimeoutOption(program.command("settle")))
    .summary("find out the fate of an order, by its nonce")
    .description(
      "Find out the fate of an order without an answer. The order is never sent again; an order that has not " +
        "arrived is withdrawn, so it can no longer be accepted. Exit code 0: accepted; 1: not carried out, and never will " +
        "be; 6: still unknown.",
    )
    .argument("<nonce>", "the nonce that the order command printed")
    .addHelpText("after", "\nExample: propgate settle 2f1c9d0e7b6a4f58a3c1d2e4f5061728");
  command.action(async (nonce: string) => {
    const options = command.optsWithGlobals<ConnectionOptions & SettleOptions>();
    readSettleTimeout(options);
    if (!isNonce(nonce))
      throw usageError("this is not a nonce", "The order command printed the nonce.");
    const credentials = await readCredentials(terminal, options);
    const service = openTradingService(credentials, () => terminal.now());
    await printFate({ terminal, options }, (call) => service.settle(nonce, call));
  });
}
