import type { OnProgress, OrderCallOptions, OrderOutcome, OrderProgress } from "@propgate/sdk";
import type { Command } from "commander";
import { CliError, EndWith, EXIT, usageError } from "../../cli-error.ts";
import { type OutputOptions, printResult } from "../../output.ts";
import { printable } from "../../printable.ts";
import { paintFor } from "../../render/paint.ts";
import { createProgress } from "../../render/progress.ts";
import type { Terminal } from "../../terminal.ts";
import { fateLines, isPartial } from "./fate-lines.ts";

export interface SettleOptions extends OutputOptions {
  readonly settleTimeout?: string;
}

/** Adds the option `--settle-timeout` to a command that ends with the fate of an order. */
export function addSettleTimeoutOption(command: Command): Command {
  return command.option(
    "--settle-timeout <seconds>",
    "time limit for finding out the order's fate (18)",
  );
}

/** The time limit as an option of the client; empty without it. */
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

export interface FateContext {
  readonly terminal: Terminal;
  readonly options: SettleOptions;
}

/**
 * Runs a call that ends with the fate of an order. It shows the steps on standard error while the fate is unknown,
 * prints the fate and ends with the exit code of the fate. Ctrl-C ends the wait, not the order: the nonce is then
 * printed as after any unknown fate. @rule D10.settleDeadline
 */
export async function printFate(
  { terminal, options }: FateContext,
  call: (options: OrderCallOptions) => Promise<OrderOutcome>,
): Promise<void> {
  const limit = readSettleTimeout(options);
  const stopped = new AbortController();
  void terminal.untilStopped().then(() => stopped.abort());
  const steps = showSteps({ terminal, options });
  const { signal } = stopped;
  const fate = await call({ ...limit, signal, onProgress: steps.show }).finally(() => steps.end());
  const style = { paint: paintFor(terminal, options), invocation: terminal.invocation };
  printResult(terminal, options, { value: fate, lines: fateLines(fate, style) });
  if (fate.fate === "unknown") throw unknownFateError(fate);
  if (fate.fate === "rejected") throw new EndWith(EXIT.refused);
  if (fate.result !== null && isPartial(fate.result)) throw new EndWith(EXIT.refused);
}

function unknownFateError({
  reason,
  nonce,
}: {
  readonly reason: string;
  readonly nonce: string;
}): CliError {
  return new CliError({
    message: `the order's fate is unknown: ${reason}`,
    fix: `Do not send it again. Find out its fate:\npropgate settle ${nonce}`,
    exitCode: EXIT.unknownFate,
  });
}

interface StepDisplay {
  readonly show: OnProgress;
  readonly end: () => void;
}

/**
 * Shows the steps of a call: at a terminal in one line that is updated, otherwise in one line when the fate becomes
 * unknown.
 */
function showSteps({ terminal, options }: FateContext): StepDisplay {
  const line = createProgress(terminal);
  let isShown = false;
  let isPlacing = false;
  const showOnce = (step: OrderProgress): void => {
    if (isShown || options.json === true) return;
    isShown = true;
    terminal.error(`${stepWords(step)} (nonce ${step.nonce})\n`);
  };
  return {
    show(step) {
      if (step.step === "sending") isPlacing = true;
      const words = printable(stepWords(step));
      if (terminal.errorIsTerminal) line.show(words.slice(0, terminal.columns() - 1));
      // Only the placement of an order prints that its fate has become unknown, because `propgate settle` begins with
      // an unknown fate.
      else if (step.step !== "sending" && isPlacing) showOnce(step);
    },
    end: () => line.end(),
  };
}

function stepWords({ step, reason, leftMs }: OrderProgress): string {
  const seconds = Math.ceil(leftMs / 1000);
  if (step === "sending") return `sending the order, ${seconds} s at most`;
  return `finding out the order's fate, ${seconds} s left: ${reason ?? "no clear answer"}`;
}
