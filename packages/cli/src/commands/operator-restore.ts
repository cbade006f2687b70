import type { Command } from "commander";
import {
  connectOperator,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../operator-client.ts";
import { print } from "../output.ts";
import type { Terminal } from "../terminal.ts";

/** `propgate operator restore confirm`. */
export function addOperatorRestore(operator: Command, terminal: Terminal): void {
  const restore = operator
    .command("restore")
    .summary("confirm that restored data may be traded on");
  const command = operatorOptions(restore.command("confirm"))
    .summary("confirm a restore")
    .description(
      "Confirm a restore. Until then the service only reads: it takes no order, fires no dead man's switch and " +
        "does no work of the clock. Compare the output of the restore with your payments first.",
    );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call("restore.confirm", { body: {} });
    print(terminal, options, {
      value,
      lines: [
        `Confirmed the restore of ${timeCell(value.restoredAtMs)}, as of ${timeCell(value.asOfMs)}.`,
      ],
    });
  });
}
