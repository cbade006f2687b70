import type { Command } from "commander";
import {
  cell,
  connectOperator,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../operator-client.ts";
import { pairs, print } from "../output.ts";
import { isRecord } from "../render/record.ts";
import type { Terminal } from "../terminal.ts";

/** `propgate operator health`: storage, prices, what the price source could not use, and what is overdue. */
export function addOperatorHealth(operator: Command, terminal: Terminal): void {
  const command = operatorOptions(operator.command("health")).summary("how the service is");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call({ method: "GET", path: "/health" });
    const prices = isRecord(value) ? value.prices : null;
    const clockWork = isRecord(value) ? value.clockWork : null;
    const fault = isRecord(value) ? (value.storageFault ?? null) : null;
    const warnings = isRecord(prices) ? prices.warnings : null;
    print(terminal, options, {
      value,
      lines: [
        ...pairs([
          ["time", timeCell(value, "nowMs")],
          ["storage", cell(value, "storage")],
          ...(fault === null
            ? []
            : ([
                ["storage fails", cell(fault, "reason")],
                ["since", timeCell(fault, "sinceMs")],
              ] as const)),
          ["prices", cell(prices, "source")],
          ["pairs", cell(prices, "pairs")],
          ["newest quote", timeCell(prices, "newestQuoteAtMs")],
          ["accounts overdue", cell(clockWork, "waiting")],
          ["oldest due", timeCell(clockWork, "oldestDueAtMs")],
        ]),
        ...(Array.isArray(warnings) ? warnings : []).map(
          (one) =>
            `warning: ${cell(one, "count")} × ${cell(one, "reason")} (${cell(one, "first")})`,
        ),
      ],
    });
  });
}
