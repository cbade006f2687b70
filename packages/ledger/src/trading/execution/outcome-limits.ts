import type { Clock } from "@propgate/base";
import type { Command, Instruments } from "@propgate/core";
import { type DecidedQuotes, type QuoteBarrier, QuotesBehind } from "../executor-port.ts";
import { NotWritten } from "../network/not-written.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import { type CommandOutcome, type NextStep, OUTCOMES } from "./outcome.ts";
import { pairOf } from "./pairs-to-read.ts";
import type { QueuedCommand } from "./queued-command.ts";

/** Ends commands whose outcome has been repeated too often or for too long. */
export interface OutcomeLimits {
  /**
   * Returns the given outcome when it has no limit, or while its limit allows another attempt. Later returns the
   * outcome that ends the command.
   */
  applyLimit(command: QueuedCommand, outcome: CommandOutcome): CommandOutcome;
  /**
   * Resolves with null when the quotes have come. When the command has waited for them too long, resolves with the
   * outcome that ends the command.
   */
  waitForQuotes(command: QueuedCommand, quotes: DecidedQuotes): Promise<CommandOutcome | null>;
}

export function createOutcomeLimits(options: {
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly barrier?: QuoteBarrier | undefined;
  /** `limitForwarding` of `Attempts`, for a command that another node must decide. */
  readonly limitForwarding: (command: QueuedCommand, outcome: CommandOutcome) => CommandOutcome;
}): OutcomeLimits {
  const { clock, instruments, barrier } = options;
  return {
    applyLimit(command, outcome) {
      const row: NextStep = OUTCOMES[outcome.is];
      if (row.next === "retry") return limitTries(command, outcome, row.triesMax);
      if (row.next === "forward") return options.limitForwarding(command, outcome);
      if (row.next !== "awaitQuotes" || !("quotes" in outcome)) return outcome;
      const { submission } = command;
      const now = clock.now();
      const limitMs = Math.min(row.limitMs, quoteFreshMs(instruments, submission.command));
      command.quotesUntilMs ??= now + limitMs;
      if (command.quotesUntilMs > now) return outcome;
      return noFreshQuoteOutcome(instruments, submission.command, outcome.quotes);
    },
    async waitForQuotes({ submission, quotesUntilMs }, quotes) {
      const restMs = (quotesUntilMs ?? 0) - clock.now();
      const isReached = await barrier?.wait(quotes, restMs);
      return isReached === true
        ? null
        : noFreshQuoteOutcome(instruments, submission.command, quotes);
    },
  };
}

function limitTries(
  command: QueuedCommand,
  outcome: CommandOutcome,
  triesMax: number,
): CommandOutcome {
  command.tries ??= new Map();
  const tries = (command.tries.get(outcome.is) ?? 0) + 1;
  command.tries.set(outcome.is, tries);
  if (tries <= triesMax) return outcome;
  if (outcome.is === "rolledBack") return { is: "failed", cause: new NotWritten(outcome.cause) };
  const cause = "cause" in outcome ? outcome.cause : new Error(`the account stays ${outcome.is}`);
  return { is: "unknown", cause: new UnknownFate(cause) };
}

/**
 * How long a quote of the command's pair is fresh. For a command without a pair, the longest such time of all pairs.
 */
function quoteFreshMs(instruments: Instruments, command: Command): number {
  const pair = pairOf(command);
  const instrument = pair === null ? undefined : instruments.get(pair);
  if (instrument !== undefined) return instrument.staleAfterMs;
  return Math.max(0, ...[...instruments.values()].map(({ staleAfterMs }) => staleAfterMs));
}

/**
 * The refusal that a stale quote of the command's pair would cause. When the command has no pair, the refusal names a
 * pair of the account, or any pair of the catalogue when the account has none.
 */
function noFreshQuoteOutcome(
  instruments: Instruments,
  command: Command,
  { pairs }: DecidedQuotes,
): CommandOutcome {
  const [ofAccount] = pairs();
  const [first] = instruments.keys();
  const pair = pairOf(command) ?? ofAccount ?? first;
  return pair === undefined
    ? { is: "failed", cause: new QuotesBehind() }
    : { is: "refused", execution: { ok: false, refusal: { code: "noFreshQuote", pair } } };
}
