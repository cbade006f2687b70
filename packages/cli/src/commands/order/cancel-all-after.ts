import { parseCancelAllAfter, type SwitchFields, type SwitchResult } from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import { printResult } from "../../output.ts";
import { addConnectionOptions, type ConnectionOptions } from "../../profile/connection.ts";
import { timeText } from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
import { runRead } from "../trading/read-command.ts";

interface SwitchOptions extends ConnectionOptions {
  readonly flatten?: boolean;
}

/** `propgate cancel-all-after`: the dead man's switch. It needs no confirmation, because a script repeats it. */
export function addCancelAllAfter(program: Command, terminal: Terminal): void {
  const command = addConnectionOptions(program.command("cancel-all-after"))
    .summary("cancel all orders unless this command is repeated in time")
    .description(
      "The dead man's switch: after so many seconds all orders and legs are cancelled, unless the " +
        "command is repeated before. 0 ends it.",
    )
    .argument("<seconds>", "1 to 86400, or 0")
    .option("--flatten", "also close all positions");
  command.action(async (seconds: string) => {
    const options = command.optsWithGlobals<SwitchOptions>();
    const fields = readSwitchFields(seconds, options);
    await runRead(terminal, options, async (service) => {
      const result = await service.cancelAllAfter(fields.seconds ?? 0, fields.action);
      printResult(terminal, options, { value: result, lines: [switchLine(result)] });
    });
  });
}

/** The fields of the request. They are checked by the parser that the service uses. */
function readSwitchFields(seconds: string, { flatten }: SwitchOptions): SwitchFields {
  const action = flatten === true ? "flatten" : "cancel";
  const number = seconds.trim() === "" ? Number.NaN : Number(seconds);
  const parsed = parseCancelAllAfter({ seconds: number, action });
  if (!parsed.ok) throw usageError(parsed.message, "Such as: propgate cancel-all-after 60");
  return parsed.fields;
}

function switchLine({ cancelAllAfter }: SwitchResult): string {
  if (cancelAllAfter === null) return "The dead man's switch is not armed.";
  const { atMs, action } = cancelAllAfter;
  const also = action === "flatten" ? " and all positions closed" : "";
  return `All orders are cancelled${also} at ${timeText(atMs)}, unless you repeat the command before.`;
}
