import type { OnProgress, OrderCallOptions, OrderOutcome, OrderProgress } from "@propgate/sdk";
import type { Command } from "commander";
import { CliError, EndWith, EXIT, usageError } from "../../cli-error.ts";
import { type OutputOptions, print } from "../../output.ts";
import { printable } from "../../printable.ts";
import { paintFor } from "../../render/paint.ts";
import { progressOn } from "../../render/progress.ts";
import type { Terminal } from "../../terminal.ts";
import { fateLines, isPartial } from "./fate-lines.ts";

export interface SettleOptions extends OutputOptions {
  readonly settleTimeout?: string;
}

/** For every command that ends with the fate of an order. */
export function settleTimeoutOption(command: Command): Command {
  return command.option(
    "--settle-timeout <seconds>",
    "how long to find out what became of the order (18)",
  );
}

/** The option as the client takes it. */
export function readSettleTimeout({ settleTimeout }: SettleOptions): OrderCallOptions {
  if (settleTimeout === undefined) return {};
  const seconds = Number(settleTimeout);
  if (!/^\d{1,3}$/.test(settleTimeout) || seconds < 1 || seconds > 600) {
    throw usageError(
      `--settle-timeout must be a whole number from 1 to 600, not ${settleTimeout}`,
      "Nothing was sent.",
    );
  }
  return { settleTimeoutMs: seconds * 1000 };
}

export interface Teller {
  readonly terminal: Terminal;
  readonly options: SettleOptions;
}

/**
 * Runs a call that ends with the fate of an order, shows its steps on standard error while the fate is
 * unknown, prints the fate and ends with its exit code. Ctrl-C ends the waiting, not the order: its
 * nonce is printed as after any other unknown fate. @rule D10.settleDeadline
 */
export async function tellFate(
  { terminal, options }: Teller,
  call: (options: OrderCallOptions) => Promise<OrderOutcome>,
): Promise<void> {
  const limit = readSettleTimeout(options);
  const stopped = new AbortController();
  void terminal.untilStopped().then(() => stopped.abort());
  const steps = showSteps({ terminal, options });
  const { signal } = stopped;
  const fate = await call({ ...limit, signal, onProgress: steps.show }).finally(() => steps.end());
  const style = { paint: paintFor(terminal, options), invocation: terminal.invocation };
  print(terminal, options, { value: fate, lines: fateLines(fate, style) });
  if (fate.fate === "unknown") throw fateUnknown(fate);
  if (fate.fate === "rejected") throw new EndWith(EXIT.refused);
  if (fate.result !== null && isPartial(fate.result)) throw new EndWith(EXIT.refused);
}

function fateUnknown({
  reason,
  nonce,
}: {
  readonly reason: string;
  readonly nonce: string;
}): CliError {
  return new CliError({
    message: `the service did not say whether it accepted the order: ${reason}`,
    fix: `Do not send it again. Find out what became of it:\npropgate settle ${nonce}`,
    exitCode: EXIT.unknownFate,
  });
}

interface Steps {
  readonly show: OnProgress;
  readonly end: () => void;
}

/** At a terminal one line that changes; elsewhere one line when the fate becomes unknown. */
function showSteps({ terminal, options }: Teller): Steps {
  const line = progressOn(terminal);
  let [isTold, isPlacing] = [false, false];
  const tellOnce = (step: OrderProgress): void => {
    if (isTold || options.json === true) return;
    isTold = true;
    terminal.error(printable(`${stepWords(step)} (nonce ${step.nonce})\n`));
  };
  return {
    show(step) {
      if (step.step === "sending") isPlacing = true;
      const words = printable(stepWords(step));
      if (terminal.errorIsTerminal) line.tell(words.slice(0, terminal.columns() - 1));
      // A settle command knows already that the fate is unknown.
      else if (step.step !== "sending" && isPlacing) tellOnce(step);
    },
    end: () => line.end(),
  };
}

function stepWords({ step, reason, leftMs }: OrderProgress): string {
  const seconds = Math.ceil(leftMs / 1000);
  if (step === "sending") return `sending the order, ${seconds} s at most`;
  return `asking for the order's fate, ${seconds} s left: ${reason ?? "no clear answer"}`;
}
