/** A real service that records its exchanges as observations, for the tests of checkers. */
import { SIGNED_ENDPOINTS } from "@propgate/contract";
import {
  type AccountId,
  evolve,
  type PairId,
  pairId,
  price,
  type Quote,
  unixMs,
} from "@propgate/core";
import type { Queryable } from "../../../packages/ledger/src/storage/databases/database.ts";
import {
  readAccountHeads,
  replaceHead,
} from "../../../packages/ledger/src/storage/journal/journal-store.ts";
import { createStateCache } from "../../../packages/ledger/src/trading/state-cache.ts";
import {
  CATALOGUE,
  type CallOptions,
  type Harness,
  type HarnessOptions,
  openHarness,
} from "../../../packages/server/src/testing/harness.ts";
import type { Reply, Signer } from "../../../packages/server/src/testing/signed-request.ts";
import type { Checker, ClientCall, HttpExchange, Observation } from "../checker.ts";

export class WatchedService {
  readonly service: Harness;
  readonly #options: HarnessOptions;
  readonly #board = new Map<PairId, Quote>();
  #quotes: Quote[] = [];
  #ended: HttpExchange[] = [];
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

  /** Makes all further requests use a new account with a new key. */
  async switchTrader(): Promise<void> {
    this.#accountId = await this.service.newAccount();
    this.#signer = await this.service.newKey({ accountId: this.#accountId });
  }

  read(endpoint: string, options: CallOptions = {}): Promise<HttpExchange> {
    const target = `/api/v1/trading/${endpoint}`;
    return this.#send({ kind: "read", target }, options);
  }

  trade(
    trade: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<HttpExchange> {
    return this.#send({ kind: "trade", trade }, options);
  }

  /** Sends a call of the dead man's switch. */
  cancelAllAfter(body: Readonly<Record<string, unknown>>): Promise<HttpExchange> {
    return this.#send({ kind: "switch", body }, {});
  }

  async quote(pair: string, bid: number, ask = bid): Promise<void> {
    this.#turn += 1;
    await this.service.quote(pair, bid, ask);
    const atMs = unixMs(this.service.time.clock.now());
    const quote = { pair: pairId(pair), bid: price(bid), ask: price(ask), atMs };
    // `given` is the standing of the quotes on a board whose quotes and clock a caller sets.
    this.#board.set(quote.pair, { ...quote, standing: "given" });
    this.#quotes.push(quote);
  }

  /** Stores the newest state of every account as its snapshot, so that a test can change it. */
  async takeSnapshots(): Promise<void> {
    const { database } = this.service;
    for await (const head of readAccountHeads(database, "all")) {
      const [account] = await createStateCache(database, { evolve, onFault() {} }).load([
        head.accountId,
      ]);
      const state = JSON.stringify(account?.state);
      await replaceHead(database, { ...head, state, stateVersion: head.version });
    }
  }

  /** The observation of everything since the last one, with the fields of `over` replaced. */
  observe(over: Partial<Observation> = {}): Observation {
    this.#turn += 1;
    const observation: Observation = {
      turn: this.#turn,
      ended: this.#ended,
      database: this.service.database,
      instruments: this.#options.instruments ?? CATALOGUE,
      nowMs: this.service.time.clock.now(),
      boards: [new Map(this.#board)],
      quotes: this.#quotes,
      published: [],
      fed: [],
      forged: [],
      sourceAnswers: [],
      calm: true,
      repairedMs: this.service.time.clock.now(),
      repairedBoards: [],
      lastFaultTurn: 0,
      lastChoiceTurn: 0,
      ...over,
    };
    this.#ended = [];
    this.#quotes = [];
    return observation;
  }

  /** The messages of a check after these statements, in a transaction that is rolled back. */
  async messagesWhenTampered(
    statements: readonly string[],
    check: (database: Queryable) => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    let messages: readonly string[] = [];
    const undo = new Error("the transaction is rolled back");
    const work = this.service.database.transaction(async (transaction) => {
      for (const statement of statements) await transaction.query(statement, []);
      messages = await check(transaction);
      throw undo;
    });
    await work.catch((cause: unknown) => {
      if (cause !== undo) throw cause;
    });
    return messages;
  }

  /** The messages of a checker about the next observation. */
  async messages(checker: Checker, over: Partial<Observation> = {}): Promise<readonly string[]> {
    const found = await checker.check(this.observe(over));
    return found.map(({ message }) => message);
  }

  #reply(call: ClientCall, sent: CallOptions): Promise<Reply> {
    switch (call.kind) {
      case "read":
        return this.service.call(call.target, sent);
      case "trade":
        return this.service.order(call.trade, sent);
      case "switch": {
        const { method, path } = SIGNED_ENDPOINTS.cancelAllAfter;
        return this.service.call(path, { ...sent, method, body: JSON.stringify(call.body) });
      }
    }
  }

  async #send(call: ClientCall, options: CallOptions): Promise<HttpExchange> {
    this.#turn += 1;
    this.#nonces += 1;
    const sentTurn = this.#turn;
    const { service } = this;
    const sentAtMs = service.time.clock.now();
    const sent = { signer: this.#signer, nonce: `watched-${this.#nonces}`, ...options };
    const { nonce } = sent;
    const reply = await this.#reply(call, sent);
    this.#turn += 1;
    const exchange: HttpExchange = {
      id: sentTurn,
      node: 0,
      accountId: this.#accountId,
      keyId: sent.signer?.keyId ?? "",
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

/** A copy of an answered exchange whose answer has another status, another body or both. */
export function answeredWith(
  exchange: HttpExchange,
  over: { readonly status?: number; readonly body?: unknown },
): HttpExchange {
  const { outcome } = exchange;
  if (outcome.kind === "lost") throw new Error("an exchange without an answer");
  return { ...exchange, outcome: { ...outcome, ...over } };
}
