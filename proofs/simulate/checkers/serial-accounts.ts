/** The journal of each account is one serial order that explains all answers. */
import type { AccountId, CarryCharged, Instruments } from "@propgate/core";
import type { Checker, Finding, HttpExchange, Observation, Turn } from "../checker.ts";
import { AccountHistory, type PastLine } from "./account-history.ts";
import type { ModelAccount } from "./account-model.ts";
import { AllowedPrices } from "./allowed-prices.ts";
import { announcedActions } from "./announced-actions.ts";
import { answeredDataOf, fieldsOf, requestIdentityOf, requestText } from "./answers.ts";
import { comparedReadOf } from "./compared-reads.ts";
import { fillProblems } from "./fill-rules.ts";
import type { JournalReader } from "./journal-reader.ts";
import { orderAnswerProblems } from "./order-answers.ts";
import { refusalProblem } from "./refusals.ts";
import { switchAnswerProblems } from "./switch-answers.ts";

/** An exchange and its position in the journal: `last` is the newest line that it read or wrote. */
interface ExchangePosition {
  readonly exchange: HttpExchange;
  readonly last: number;
}

/** Compares every answer with the states of the account that the request may have read. @rule S3.orders S5.R2 */
export class SerialAccounts implements Checker {
  readonly name = "serial";
  readonly #journal: JournalReader;
  readonly #prices = new AllowedPrices();
  readonly #pasts = new Map<AccountId, AccountHistory>();
  #lastTurn: Turn = 0;

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved } = await this.#journal.news(at);
    this.#prices.addObserved(at, await announcedActions(at));
    const news = new Map(moved.map(({ head, lines }) => [head.accountId, lines]));
    const ended = Map.groupBy(at.ended, ({ accountId }) => accountId);
    const found: Finding[] = [];
    for (const accountId of new Set([...news.keys(), ...ended.keys()])) {
      const past = this.#pastOf(accountId);
      const problems = [
        ...past.applyLines(news.get(accountId) ?? []),
        ...past.lines.flatMap((one) => this.#fillProblems(one, at)),
        ...(ended.get(accountId) ?? []).flatMap((one) => this.#markProblems(one, at)),
        ...this.#explain(past, ended.get(accountId) ?? [], at),
      ];
      found.push(...problems.map((message) => ({ checker: this.name, accountId, message })));
    }
    this.#lastTurn = at.turn;
    return found;
  }

  #pastOf(accountId: AccountId): AccountHistory {
    const past = this.#pasts.get(accountId) ?? new AccountHistory();
    this.#pasts.set(accountId, past);
    return past;
  }

  #fillProblems({ line, before, next }: PastLine, { instruments }: Observation): readonly string[] {
    if (line.event.type === "carryCharged")
      return this.#carryProblems(line.event, before, instruments);
    if (line.event.type !== "orderFilled") return [];
    const { command } = line;
    const at = { command, next, instruments, prices: this.#prices };
    const problems = fillProblems(before, line.event, at);
    return problems.map((problem) => `line ${line.seq}, orderFilled: ${problem}`);
  }

  /** The problems of a charged carry: its value must be the position's value at a known quote. */
  #carryProblems(
    { charges }: CarryCharged,
    { held }: ModelAccount,
    instruments: Instruments,
  ): readonly string[] {
    return charges.flatMap(({ positionUuid, value }) => {
      const { pair = "", net = 0 } = held.get(positionUuid) ?? {};
      const netValue = (Math.sign(net) * value) / 1e6;
      const position = { tradePair: pair, netQuantity: net / 100_000, netValue };
      const problem = this.#prices.markProblem(position, instruments);
      return problem === null ? [] : [`carry of ${pair}: ${problem}`];
    });
  }

  #markProblems(exchange: HttpExchange, { instruments }: Observation): readonly string[] {
    const data = answeredDataOf(exchange);
    if (exchange.call.kind !== "read" || !Array.isArray(data)) return [];
    return data
      .map((item) => this.#prices.markProblem(fieldsOf(item), instruments))
      .filter((problem) => problem !== null)
      .map((problem) => `${requestText(exchange)}: ${problem}`);
  }

  /**
   * Finds the position of each exchange, in the order of sending, and returns the problems. When one exchange ended
   * before another one was sent, it must have the earlier position.
   */
  #explain(
    past: AccountHistory,
    ended: readonly HttpExchange[],
    at: Observation,
  ): readonly string[] {
    const effects = Map.groupBy(past.lines, ({ line: { keyId, nonce } }) =>
      keyId === null || nonce === null ? null : requestIdentityOf({ keyId, nonce }),
    );
    const places: ExchangePosition[] = [];
    const problems: string[] = [];
    for (const exchange of inOrderOfSending(ended, effects)) {
      const floor = floorOf(places, exchange, past.visible[0]?.seq ?? 0);
      const effect = effects.get(requestIdentityOf(exchange)) ?? [];
      const explained =
        exchange.call.kind === "read"
          ? this.#locateRead(exchange, { past, floor })
          : positionOfOrder(exchange, { past, floor, effect, at, lastTurn: this.#lastTurn });
      problems.push(...explained.problems.map((problem) => `${requestText(exchange)}: ${problem}`));
      if (explained.place !== null) places.push(explained.place);
    }
    return problems;
  }

  /**
   * Finds the earliest state that the read can have shown. When no state can have been shown, the answer is a problem.
   */
  #locateRead(exchange: HttpExchange, within: PlaceLimits): ExplainedExchange {
    const reading = comparedReadOf(exchange);
    // A read that was sent before the last observation may have shown a state that is not kept.
    if (reading === null || exchange.sentTurn <= this.#lastTurn) return UNPLACED;
    const shown = within.past.visible.filter(({ seq }) => seq >= within.floor);
    const found = shown.find((account) => reading.expected(account) === reading.answered);
    if (found !== undefined) {
      return { place: { exchange, last: found.seq }, problems: [] };
    }
    const possible = shown.map((account) => `[${account.seq}] ${reading.expected(account)}`);
    const problem = `answered ${reading.answered}, expected one of: ${possible.join("; ")}`;
    return { place: null, problems: [problem] };
  }
}

interface PlaceLimits {
  readonly past: AccountHistory;
  /** The newest line that precedes the exchange for certain. */
  readonly floor: number;
}

interface ExplainedExchange {
  readonly place: ExchangePosition | null;
  readonly problems: readonly string[];
}

const UNPLACED: ExplainedExchange = { place: null, problems: [] };

/** The answered exchanges, and the lost ones with an effect, in the order of sending. */
function inOrderOfSending(
  ended: readonly HttpExchange[],
  effects: ReadonlyMap<string | null, readonly PastLine[]>,
): readonly HttpExchange[] {
  return ended
    .filter(
      (exchange) =>
        exchange.outcome.kind === "answered" || effects.has(requestIdentityOf(exchange)),
    )
    .toSorted((one, other) => one.sentTurn - other.sentTurn);
}

function floorOf(
  places: readonly ExchangePosition[],
  { sentTurn }: HttpExchange,
  start: number,
): number {
  return places
    .filter(({ exchange }) => exchange.outcome.turn < sentTurn)
    .reduce((floor, { last }) => Math.max(floor, last), start);
}

function positionOfOrder(
  exchange: HttpExchange,
  within: PlaceLimits & {
    readonly effect: readonly PastLine[];
    readonly at: Observation;
    /** The turn of the last observation. States before it are not kept. */
    readonly lastTurn: number;
  },
): ExplainedExchange {
  const { past, floor, effect, at, lastTurn } = within;
  const { outcome } = exchange;
  const first = effect[0]?.line.seq;
  const last = effect.at(-1)?.line.seq;
  if (outcome.kind === "lost" || outcome.status !== 200) {
    const problem = outcome.kind === "lost" || !at.calm ? null : refusalProblem(exchange, within);
    return { place: null, problems: problem === null ? [] : [problem] };
  }
  if (exchange.call.kind === "switch") {
    const isKept = exchange.sentTurn > lastTurn;
    const seen = isKept ? past.visible.filter(({ seq }) => seq >= floor) : null;
    const problems = switchAnswerProblems(exchange.call.body, exchange, { effect, seen });
    return last === undefined ? { place: null, problems } : { place: { exchange, last }, problems };
  }
  const { instruments } = at;
  const problems = [...orderAnswerProblems(exchange, effect, { instruments, account: past.now })];
  if (first === undefined || last === undefined) return { place: null, problems };
  if (first <= floor) problems.push(`its line ${first} is before line ${floor}, which precedes it`);
  return { place: { exchange, last }, problems };
}
