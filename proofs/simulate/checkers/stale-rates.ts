/** No account ends, passes or nears a limit at a stale conversion rate. */
import {
  type AccountId,
  decodeInputs,
  isOpen,
  type PairId,
  pairId,
  type Quote,
  type UnixMs,
} from "@propgate/core";
import type { Checker, Finding, Observation } from "../checker.ts";
import { AccountHistory, type PastLine } from "./account-history.ts";
import type { ModelAccount } from "./account-model.ts";
import type { JournalReader } from "./journal-reader.ts";
import { ratePairsOf } from "./reached-levels.ts";

/** When the sources of a retired pair have sent no quote for this long, its last price stays its price. */
const LAST_PRICE_MS = 3_600_000;
/** The fills with which an elimination or a pass closes the positions that it has judged. */
const ENDING: ReadonlySet<string> = new Set(["elimination", "phaseEnd"]);

/**
 * Reads the inputs of the decisions that judge an account: every pair that converts the prices of an open position had
 * a fresh quote or a closed market, or was retired and kept its last price. Account endings that a rule without prices
 * or an operator caused are left out, because no price decides them. @rule D12.staleRate
 */
export class StaleRates implements Checker {
  readonly name = "stale rates";
  readonly #journal: JournalReader;
  readonly #pasts = new Map<AccountId, AccountHistory>();

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved } = await this.#journal.news(at);
    return moved.flatMap(({ head: { accountId }, lines }) => {
      const past = this.#pasts.get(accountId) ?? new AccountHistory();
      this.#pasts.set(accountId, past);
      past.applyLines(lines);
      return decisionsOf(past.lines).flatMap((decision) =>
        problemsOf(decision, at).map((message) => ({ checker: this.name, accountId, message })),
      );
    });
  }
}

/** Groups the lines by decision. The first line of each decision has its inputs. */
function decisionsOf(lines: readonly PastLine[]): readonly (readonly PastLine[])[] {
  const decisions: PastLine[][] = [];
  for (const one of lines) {
    if (one.line.inputs !== null || decisions.length === 0) decisions.push([]);
    decisions.at(-1)?.push(one);
  }
  return decisions;
}

function problemsOf(decision: readonly PastLine[], at: Observation): readonly string[] {
  const [first] = decision;
  const judging = decision.find(isJudgement);
  if (first === undefined || judging === undefined || first.line.inputs === null) return [];
  const inputs = decodeInputs(first.line.inputs, first.line.command);
  if (inputs === null) return [];
  const quotes = new Map(inputs.quotes.map(({ quote }) => [quote.pair, quote]));
  const isEnding = ({ line: { event } }: PastLine): boolean =>
    event.type === "orderFilled" && ENDING.has(event.kind);
  const { before } = decision.find(isEnding) ?? judging;
  return ratesOf(before, at).flatMap((pair) => {
    const quote = quotes.get(pair);
    if (quote === undefined || !isStale(quote, inputs.now, at)) return [];
    const { seq, event } = judging.line;
    return [
      `line ${seq}, ${event.type}: ${pair} was ${inputs.now - quote.atMs} ms old at ${inputs.now}`,
    ];
  });
}

function isJudgement({ line: { event, origin } }: PastLine): boolean {
  if (origin === "operator") return false;
  if (event.type === "accountEliminated") return event.elimination.cause.kind === "lossLimit";
  return event.type === "challengePassed" || event.type === "limitNeared";
}

/** The pairs that convert prices of open positions to USD, directly or inverted. */
function ratesOf({ held }: ModelAccount, { instruments }: Observation): readonly PairId[] {
  return [...held.values()].flatMap(({ pair }) => {
    const instrument = instruments.get(pairId(pair));
    return instrument === undefined ? [] : ratePairsOf(instrument);
  });
}

function isStale(quote: Quote, now: UnixMs, { instruments }: Observation): boolean {
  const instrument = instruments.get(quote.pair);
  if (instrument === undefined || !isOpen(instrument.session, now)) return false;
  const ageMs = now - quote.atMs;
  // A retired pair keeps its last price. @rule D13.retired
  if (instrument.retired === true && ageMs >= LAST_PRICE_MS) return false;
  return ageMs > instrument.staleAfterMs;
}
