/** A real service whose clients are written down as a checker sees them, for tests of checkers. */
import { type AccountId, type PairId, pairId, price, type Quote, unixMs } from "@propgate/core";
import type { Queryable } from "../../../packages/server/src/storage/databases/database.ts";
import {
  CATALOGUE,
  type CallOptions,
  type Harness,
  type HarnessOptions,
  openHarness,
} from "../../../packages/server/src/testing/harness.ts";
import type { Signer } from "../../../packages/server/src/testing/signed-request.ts";
import type { Call, Checker, Exchange, Look } from "../history.ts";

export class WatchedService {
  readonly service: Harness;
  readonly #options: HarnessOptions;
  readonly #board = new Map<PairId, Quote>();
  #quotes: Quote[] = [];
  #ended: Exchange[] = [];
  #turn = 0;
  #nonces = 0;
  #accountId: AccountId;
  #signer: Signer;

  private constructor(service: Harness, options: HarnessOptions) {
    this.service = service;
    this.#options = options;
    this.#accountId = service.accountId;
    this.#signer = service.signer;
  }

  get accountId(): AccountId {
    return this.#accountId;
  }

  static async open(options: HarnessOptions = {}): Promise<WatchedService> {
    return new WatchedService(await openHarness(options), options);
  }

  /** From here on another trader asks, whose account has nothing yet. */
  async beginAgain(): Promise<void> {
    this.#accountId = await this.service.newAccount();
    this.#signer = await this.service.newKey({ accountId: this.#accountId });
  }

  read(endpoint: string, options: CallOptions = {}): Promise<Exchange> {
    const target = `/api/v1/trading/${endpoint}`;
    return this.#ask({ kind: "read", target }, options);
  }

  trade(trade: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<Exchange> {
    return this.#ask({ kind: "trade", trade }, options);
  }

  async quote(pair: string, bid: number, ask = bid): Promise<void> {
    this.#turn += 1;
    await this.service.quote(pair, bid, ask);
    const atMs = unixMs(this.service.time.clock.now());
    const quote = { pair: pairId(pair), bid: price(bid), ask: price(ask), atMs };
    this.#board.set(quote.pair, quote);
    this.#quotes.push(quote);
  }

  /** What was seen since the last look, or what a test says was seen. */
  seen(over: Partial<Look> = {}): Look {
    this.#turn += 1;
    const look: Look = {
      turn: this.#turn,
      ended: this.#ended,
      database: this.service.database,
      instruments: this.#options.instruments ?? CATALOGUE,
      nowMs: this.service.time.clock.now(),
      boards: [new Map(this.#board)],
      quotes: this.#quotes,
      calm: true,
      lastFaultTurn: 0,
      ...over,
    };
    this.#ended = [];
    this.#quotes = [];
    return look;
  }

  /** What a checker that knows nothing yet says of a database in which somebody changed something. */
  async saysTampered(
    statements: readonly string[],
    ask: (database: Queryable) => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    let says: readonly string[] = [];
    const undo = new Error("a database that is left as it was");
    const work = this.service.database.transaction(async (transaction) => {
      for (const statement of statements) await transaction.query(statement, []);
      says = await ask(transaction);
      throw undo;
    });
    await work.catch((cause: unknown) => {
      if (cause !== undo) throw cause;
    });
    return says;
  }

  /** What a checker says to what was seen since the last look. */
  async says(checker: Checker, over: Partial<Look> = {}): Promise<readonly string[]> {
    const found = await checker.look(this.seen(over));
    return found.map(({ says }) => says);
  }

  async #ask(call: Call, options: CallOptions): Promise<Exchange> {
    this.#turn += 1;
    this.#nonces += 1;
    const sentTurn = this.#turn;
    const { service } = this;
    const sentAtMs = service.time.clock.now();
    const asked = { signer: this.#signer, nonce: `watched-${this.#nonces}`, ...options };
    const { nonce } = asked;
    const reply =
      call.kind === "read"
        ? await service.call(call.target, asked)
        : await service.order(call.trade, asked);
    this.#turn += 1;
    const exchange: Exchange = {
      id: sentTurn,
      node: 0,
      accountId: this.#accountId,
      keyId: asked.signer?.keyId ?? "",
      nonce,
      replayOf: null,
      call,
      sentTurn,
      sentAtMs,
      outcome: {
        kind: "answered",
        turn: this.#turn,
        atMs: service.time.clock.now(),
        status: reply.status,
        body: reply.json(),
      },
    };
    this.#ended.push(exchange);
    return exchange;
  }
}

/** The same exchange with another answer than the one that came. */
export function answeredWith(
  exchange: Exchange,
  over: { readonly status?: number; readonly body?: unknown },
): Exchange {
  const { outcome } = exchange;
  if (outcome.kind === "lost") throw new Error("an exchange without an answer");
  return { ...exchange, outcome: { ...outcome, ...over } };
}
