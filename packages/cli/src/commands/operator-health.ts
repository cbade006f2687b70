import type { Command } from "commander";
import {
  cell,
  connectOperator,
  isRecord,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../operator-client.ts";
import { pairs, print } from "../output.ts";
import type { Terminal } from "../terminal.ts";

/** `propgate operator health`: storage, prices and what the price source could not use. */
export function addOperatorHealth(operator: Command, terminal: Terminal): void {
  const command = operatorOptions(operator.command("health")).summary("how the service is");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call({ method: "GET", path: "/health" });
    const prices = isRecord(value) ? value.prices : null;
    const warnings = isRecord(prices) ? prices.warnings : null;
    print(terminal, options.json === true, {
      value,
      lines: [
        ...pairs([
          ["time", timeCell(value, "nowMs")],
          ["storage", cell(value, "storage")],
          ["prices", cell(prices, "source")],
          ["pairs", cell(prices, "pairs")],
          ["newest quote", timeCell(prices, "newestQuoteAtMs")],
        ]),
        ...(Array.isArray(warnings) ? warnings : []).map(
          (one) =>
            `warning: ${cell(one, "count")} × ${cell(one, "reason")} (${cell(one, "first")})`,
        ),
      ],
    });
  });
}
