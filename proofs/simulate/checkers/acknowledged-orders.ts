/**
 * The answers to orders agree with the journal: accepted orders are in it under their key and nonce, and refused orders
 * are not.
 */
import type { AccountId } from "@propgate/core";
import type { Checker, Finding, HttpExchange, Observation } from "../checker.ts";
import {
  admittanceOf,
  answeredDataOf,
  errorTextOf,
  fieldsOf,
  requestIdentityOf,
  requestText,
} from "./answers.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";

type AnswerOutcome =
  /** The order was answered 200. */
  | "accepted"
  /** No answer came, or the answer is a fault of the service: the order may have been carried out or not. */
  | "open"
  | "refused";

/** The order uuids in the journal's lines under one nonce, by kind of event; for flattens the position uuids. */
interface NonceEffect {
  readonly accountId: AccountId;
  readonly filled: string[];
  readonly placed: string[];
  readonly edited: string[];
  readonly attached: string[];
  readonly cancelled: string[];
  readonly flattened: string[];
  /** The deadlines to which the dead man's switch was armed. */
  readonly armed: string[];
}

/** Compares the answers of orders with the journal. @rule S7.R2 S2.6 */
export class AcknowledgedOrders implements Checker {
  readonly name = "acknowledged";
  readonly #journal: JournalReader;
  readonly #standings = new Map<string, AnswerOutcome>();
  /**
   * Every deadline to which the switch of an account was armed. A small renewal (D12.smallRenewal) writes no line, and
   * its answer has the deadline that was armed before.
   */
  readonly #deadlines = new Map<AccountId, Set<string>>();
  /** The effects of the journal lines that the present check reads, by the identity of their request. */
  readonly #effects = new Map<string, NonceEffect>();

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved } = await this.#journal.news(at);
    for (const { lines } of moved) for (const line of lines) this.#take(line);
    const orders = at.ended.filter(({ call }) => call.kind !== "read");
    for (const order of orders) this.#recordStanding(order);
    const found = [
      ...orders.flatMap((order) => this.#judgeAccepted(order)),
      ...[...this.#effects].flatMap(([identity, effect]) => this.#judgeEffect(identity, effect)),
    ];
    this.#effects.clear();
    return found;
  }

  #take(line: JournalLine): void {
    if (line.event.type === "switchArmed") {
      const known = this.#deadlines.get(line.accountId) ?? new Set();
      this.#deadlines.set(line.accountId, known.add(String(line.event.deadlineMs)));
    }
    if (line.keyId === null || line.nonce === null) return;
    const identity = requestIdentityOf({ keyId: line.keyId, nonce: line.nonce });
    const effect = this.#effects.get(identity) ?? noEffect(line.accountId);
    this.#effects.set(identity, effect);
    addToEffect(effect, line);
  }

  #recordStanding(order: HttpExchange): void {
    const identity = requestIdentityOf(order);
    const standing = standingOf(order);
    const known = this.#standings.get(identity);
    // All copies of a request share the strongest known outcome: first accepted, then open, then refused.
    if (known === undefined || known === "refused" || standing === "accepted") {
      this.#standings.set(identity, standing);
    }
  }

  #judgeAccepted(order: HttpExchange): readonly Finding[] {
    if (order.outcome.kind === "lost" || order.outcome.status !== 200) return [];
    const { accountId } = order;
    const effect = this.#effects.get(requestIdentityOf(order)) ?? noEffect(accountId);
    const answered = answeredId(order);
    const written = writtenUuid(order, effect);
    if (effect.accountId === accountId && written === answered) return [];
    if (order.call.kind === "switch" && written === "" && this.#wasArmed(order, answered))
      return [];
    const what = order.call.kind === "switch" ? "deadline" : "order_uuid";
    const message = `${requestText(order)} was answered 200 with ${what} ${String(answered)}, but the journal has ${JSON.stringify(written)} under its nonce`;
    return [{ checker: this.name, accountId, message }];
  }

  /** True when another request armed this deadline on the account. @rule D12.smallRenewal */
  #wasArmed({ accountId }: HttpExchange, deadline: unknown): boolean {
    return this.#deadlines.get(accountId)?.has(String(deadline)) === true;
  }

  #judgeEffect(identity: string, { accountId }: NonceEffect): readonly Finding[] {
    const standing = this.#standings.get(identity);
    if (standing === "accepted" || standing === "open") return [];
    const why = standing === "refused" ? "was refused" : "was never sent";
    const message = `the order of key and nonce ${identity} ${why} and is in the journal`;
    return [{ checker: this.name, accountId, message }];
  }
}

function standingOf(order: HttpExchange): AnswerOutcome {
  const { outcome } = order;
  if (outcome.kind === "lost") return "open";
  if (outcome.status === 200) return "accepted";
  const isOpen = outcome.status >= 500 && admittanceOf(order) !== "stranger";
  return isOpen && !wasNotAccepted(outcome.body) ? "open" : "refused";
}

/** Parts of the error texts after which an order is never carried out. */
const NOT_ACCEPTED = [
  "the order was not accepted",
  "the order was not carried out and never will be",
];

function wasNotAccepted(body: unknown): boolean {
  const error = errorTextOf(body);
  return NOT_ACCEPTED.some((text) => error?.includes(text) === true);
}

function noEffect(accountId: AccountId): NonceEffect {
  return {
    accountId,
    filled: [],
    placed: [],
    edited: [],
    attached: [],
    cancelled: [],
    flattened: [],
    armed: [],
  };
}

function addToEffect(effect: NonceEffect, { event }: JournalLine): void {
  if (event.type === "orderPlaced") effect.placed.push(event.order.uuid);
  if (event.type === "orderEdited") effect.edited.push(event.order.uuid);
  if (event.type === "legsAttached") effect.attached.push(...event.legs.map(({ uuid }) => uuid));
  if (event.type === "orderCancelled" && event.reason === "owner") {
    effect.cancelled.push(event.orderUuid);
  }
  if (event.type === "switchArmed") effect.armed.push(String(event.deadlineMs));
  if (event.type !== "orderFilled") return;
  if (event.kind === "flatten") effect.flattened.push(event.positionUuid);
  if (event.kind === "market" || event.kind === "closePair") effect.filled.push(event.orderUuid);
}

/** The `order_uuid` of the answer. For a switch: its deadline, empty when it is not armed. */
function answeredId(order: HttpExchange): unknown {
  const data = fieldsOf(answeredDataOf(order));
  if (order.call.kind !== "switch") return data.order_uuid;
  const { atMs } = fieldsOf(data.cancelAllAfter);
  return typeof atMs === "number" ? String(atMs) : "";
}

/**
 * The uuid of the order, or the deadline of the switch, in the journal lines of this request; empty when they have
 * none.
 */
function writtenUuid({ call }: HttpExchange, effect: NonceEffect): string {
  if (call.kind === "switch") return effect.armed.join();
  const kind = call.kind === "trade" ? call.trade.execution_type : null;
  if (kind === "MARKET") return effect.filled.join();
  if (kind === "BRACKET") return effect.attached[0] ?? "";
  if (kind === "LIMIT_EDIT") return effect.edited.join();
  if (kind === "LIMIT_CANCEL") return effect.cancelled.join();
  if (kind === "FLAT_ALL") return effect.flattened.join();
  return effect.placed.join();
}
