import { isNonce } from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import {
  type ConnectionOptions,
  connectionOptions,
  readCredentials,
} from "../../profile/connection.ts";
import type { Terminal } from "../../terminal.ts";
import { openTradingService } from "../../trading/service.ts";
import {
  readSettleTimeout,
  type SettleOptions,
  settleTimeoutOption,
  tellFate,
} from "./tell-fate.ts";

/** `propgate settle`: what became of an order whose answer was lost. @rule D10.settleDeadline */
export function addSettle(program: Command, terminal: Terminal): void {
  const command = connectionOptions(settleTimeoutOption(program.command("settle")))
    .summary("find out what became of an order, by its nonce")
    .description(
      "Find out what became of an order whose fate is unknown. It is never sent again; one that has not " +
        "arrived is withdrawn, so that it can never arrive. Ends with 0 when it was accepted, 1 when it " +
        "was not carried out and never will be, 6 when that is still unknown.",
    )
    .argument("<nonce>", "the nonce that the order command printed")
    .addHelpText("after", "\nExample: propgate settle 2f1c9d0e7b6a4f58a3c1d2e4f5061728");
  command.action(async (nonce: string) => {
    const options = command.optsWithGlobals<ConnectionOptions & SettleOptions>();
    readSettleTimeout(options);
    if (!isNonce(nonce)) throw usageError("this is no nonce", "It was printed with the order.");
    const credentials = await readCredentials(terminal, options);
    const service = openTradingService(credentials, () => terminal.now());
    await tellFate({ terminal, options }, (call) => service.settle(nonce, call));
  });
}
