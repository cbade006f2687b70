import type { KeyInUse } from "@propgate/access";
import { type Chance, type Clock, type TraceParent, wireJson } from "@propgate/base";
import type { QueryParameters } from "@propgate/contract";
import type { AccountId, Instruments, UnixMs } from "@propgate/core";
import type {
  EventDesk,
  NetworkName,
  OnRequestEnd,
  OrderLifeDesk,
  ReadAt,
  Reading,
  ReceiptDesk,
  ShownVersion,
  TradingNetwork,
} from "@propgate/ledger";
import type { CandleReader } from "@propgate/market";
import type {
  EventStreams,
  ExpensiveReads,
  KeyOrigin,
  PayoutCursorCodec,
  Rejection,
  WireNetwork,
  WireNetworks,
} from "@propgate/wire";
import type { AdmittedAccount } from "../../storage/admission-port.ts";
import type { RequestBody } from "../request-body.ts";

/** The input of a handler: a request that passed every gate. */
export interface HandlerInput {
  readonly accountId: AccountId;
  readonly account: AdmittedAccount;
  readonly keyId: string;
  /** The key's use by this request. A request that waits learns from it that the key may no longer be used. */
  readonly keyInUse: KeyInUse;
  readonly nonce: string;
  readonly admittedAtMs: UnixMs;
  /** The path as the contract spells it, with the parameter as it was sent; without the query. */
  readonly path: string;
  readonly query: QueryParameters;
  readonly body: RequestBody;
  /** Why the headers do not announce JSON; null when they do. */
  readonly typeProblem: () => string | null;
  /** The span of the request's work; undefined without traces. */
  readonly trace: TraceParent | undefined;
  /** Calls the listener when the client has disconnected or the service stops. */
  readonly untilOver: OnRequestEnd;
  /** True once the service is stopping. */
  readonly isStopping: () => boolean;
}

/** The result of a handler: a success with `data`, or a rejection. */
export type HandlerOutcome = Answered | Rejected;

export interface Rejected {
  readonly ok: false;
  readonly rejection: Rejection;
}

/** A success that lasts: frames without an envelope, each sent when the client has room for it. @rule D9.stream */
export interface Streamed {
  readonly ok: true;
  readonly frames: AsyncIterable<Uint8Array>;
}

/** A success that is answered with `data` in the envelope. */
export interface Answered {
  readonly ok: true;
  /** The response's `data` as JSON; in chunks, which are read while they are sent, when it is too long for one text. */
  readonly json: string | AsyncIterable<Uint8Array>;
  /** The cursor of the next page, which the answer has beside `data`; absent for an answer without pages. */
  readonly next?: string | number | null | undefined;
  /** Names of request fields that the endpoint does not read. */
  readonly ignored: readonly string[];
  /** The version that the answer shows exactly; absent when it shows that of the admission or a later one. */
  readonly shown?: ShownVersion | undefined;
}

/** Parses the request, calls the network, renders the answer. */
export type Handler = (input: HandlerInput) => Promise<HandlerOutcome>;

/** The handler of any endpoint, including one that answers with a stream of frames. */
export type AnyHandler = (input: HandlerInput) => Promise<HandlerOutcome | Streamed>;

/** The options of all handlers; each handler uses some of them. */
export interface HandlerOptions {
  readonly networks: WireNetworks;
  /** The service's own network, for quotes, lives of orders, previews and the dead man's switch. */
  readonly embedded: Pick<TradingNetwork, "market" | "pendingOrders" | "preview" | "carryOut">;
  readonly instruments: Instruments;
  readonly cursors: PayoutCursorCodec;
  readonly receipts: ReceiptDesk;
  readonly candles: CandleReader;
  readonly events: EventDesk;
  readonly orderLives: OrderLifeDesk;
  readonly eventStreams: EventStreams;
  readonly expensiveReads: ExpensiveReads;
  readonly clock: Clock;
  readonly chance: Chance;
}

export type NetworkOptions = Pick<HandlerOptions, "networks">;

/** The network that the request's account is on. */
export function networkOf({ networks }: NetworkOptions, { account }: HandlerInput): WireNetwork {
  return networks[account.network];
}

/** Answers with `data`. `ignored` has the names of the fields that were ignored. */
export function answerWithData(data: unknown, ignored: readonly string[] = []): Answered {
  return answerWithJson(wireJson(data), { ignored });
}

/** Answers with `data` that is JSON already. */
export function answerWithJson(
  json: string,
  {
    ignored = [],
    shown,
  }: Pick<Answered, "shown"> & {
    readonly ignored?: readonly string[];
  } = {},
): Answered {
  return { ok: true, json, ignored, shown };
}

export function rejectWith(error: Rejection["error"], text?: string): Rejected {
  return { ok: false, rejection: text === undefined ? { error } : { error, text } };
}

/** The names of other networks in texts for clients. The service's own network has the configured name. */
const VALIDATOR_NAMES: Readonly<Partial<Record<NetworkName, string>>> = { vanta: "Vanta" };

/** The outcome of a handler for a reading: the reading's value, or a 502 or 503 without data. @rule S7.R1 */
export function readingOutcome(reading: Reading<unknown>, input: HandlerInput): HandlerOutcome {
  return reading.ok
    ? { ...answerWithData(reading.value), shown: reading.shown }
    : readingRejection(reading, input);
}

/**
 * The answer to a reading that failed: 502 for an error of the trade history, and 503 without data when the network was
 * not reached. @rule S7.502 S7.R1 decides
 */
export function readingRejection(
  reading: Extract<Reading<unknown>, { readonly ok: false }>,
  { account }: Pick<HandlerInput, "account">,
): HandlerOutcome {
  if (reading.error === "upstream") return rejectWith("upstreamFailed", reading.message);
  const networkName = VALIDATOR_NAMES[account.network];
  const named = networkName === undefined ? {} : { networkName };
  return { ok: false, rejection: { error: "snapshotUnavailable", ...named } };
}

/**
 * The pending orders whose trailing stops this service moves; none for a linked account, whose stops the validator
 * moves.
 */
export function embeddedPendingOrders(
  embedded: HandlerOptions["embedded"],
  input: HandlerInput,
): ReturnType<HandlerOptions["embedded"]["pendingOrders"]> {
  if (input.account.network === "vanta") return { ok: true, value: [] };
  return embedded.pendingOrders(minimumReadAt(input));
}

/** The key that signed the request, as the origin of the request's command. */
export function keyOrigin(input: HandlerInput): KeyOrigin {
  const { keyId, nonce, admittedAtMs, trace } = input;
  return { by: "key", keyId, nonce, admittedAtMs, trace };
}

/**
 * The account and the version from which to read. The version at admission is the minimum, so that no node answers with
 * an older state or with another history.
 */
export function minimumReadAt({ accountId, account: { version, headHash } }: HandlerInput): ReadAt {
  return { accountId, version, headHash };
}
