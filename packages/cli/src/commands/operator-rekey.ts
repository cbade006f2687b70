import type { Command } from "commander";
import { connectOperator, type OperatorOptions, operatorOptions } from "../operator-client.ts";
import { print } from "../output.ts";
import type { Terminal } from "../terminal.ts";

/** `propgate operator rekey`. */
export function addOperatorRekey(operator: Command, terminal: Terminal): void {
  const command = operatorOptions(operator.command("rekey")).summary(
    "seal every secret under the newest master key, so that older keys can be removed",
  );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call("keys.rekey", { body: {} });
    print(terminal, options, {
      value,
      lines: [
        `${value.resealed} sealed again; unreadable: ${value.unreadable.join(",") || "none"}`,
      ],
    });
  });
}
