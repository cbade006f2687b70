import { type OrderCommand, type OrderUuid, orderUuid } from "@propgate/core";
import type { Rejection } from "@propgate/wire";
import { isRecord, type Literal, type LiteralRecord, readLiteral } from "../../python-literal.ts";
import type { UpstreamFailure, UpstreamResult } from "../../upstream/port.ts";
import { isOrderOrLegOf } from "../belongs-to.ts";
import { meaningOfNetworkText, type RefusedOrder } from "../refusal-words.ts";
import { hasOwnId } from "../stored-order.ts";
import { recordFields } from "./record-fields.ts";

/** An order that the network accepted. */
export interface Acceptance {
  /** The network's record of the order as it was sent; null when none was sent. */
  readonly orderJson: string | null;
  /** `orderJson`, parsed; null when there is none, or when it cannot be read. */
  readonly record: LiteralRecord | null;
  /** Why the legs of a filled order were not attached; null when the answer reports no such problem. */
  readonly legsProblem: string | null;
  /** Any other error text of an accepted order; empty when there is none. */
  readonly notice: string;
  /** The processing time in seconds; null when the network did not send it. */
  readonly processingTime: number | null;
}

/** The meaning of the gateway's answer about an order. */
export type AnswerJudgement =
  | { readonly kind: "accepted"; readonly accepted: Acceptance }
  /** The network refused the order, so no state has changed there. */
  | { readonly kind: "refused"; readonly rejection: Rejection }
  /** The order did not reach the network. `keyRefused`: the gateway refused this service's key. */
  | { readonly kind: "notTaken"; readonly keyRefused: boolean }
  /** The network does not know the order. Only the answer to order-status can mean this. */
  | { readonly kind: "notFound" }
  /** The order may or may not have been accepted. */
  | { readonly kind: "unknown" };

const UNKNOWN: AnswerJudgement = { kind: "unknown" };
const NOT_TAKEN_JUDGEMENT: AnswerJudgement = { kind: "notTaken", keyRefused: false };
const KEY_REFUSED: AnswerJudgement = { kind: "notTaken", keyRefused: true };

const ORDER_JSON_CHARACTERS_MAX = 200_000;

/** Removes keys and hosts from a text of the network. */
export type CleanText = (text: string) => string;

/** The statuses with which a gateway answers before it has processed an order. */
const NOT_TAKEN_STATUSES: readonly number[] = [
  404, 405, 408, 411, 413, 415, 421, 425, 426, 429, 431,
];

/**
 * Judges the answer to submit-order. Only a 400, or a 200 with `success: false`, can refuse an order: a 500 may follow
 * an order that was accepted. `clean` removes keys and hosts from texts.
 */
export function judgeSubmission(
  answer: UpstreamResult<Literal>,
  order: RefusedOrder,
  clean: CleanText,
): AnswerJudgement {
  if (answer.ok) return judgeBody(answer.value, order, clean);
  const { failure } = answer;
  switch (failure.kind) {
    case "unreachable":
      return failure.wasSent ? UNKNOWN : NOT_TAKEN_JUDGEMENT;
    case "unreadable":
      return UNKNOWN;
    case "refused":
      if (failure.status === 401 || failure.status === 403) return KEY_REFUSED;
      if (NOT_TAKEN_STATUSES.includes(failure.status)) return NOT_TAKEN_JUDGEMENT;
      return judgeFailure(failure, order, clean);
  }
}

/** Judges the answer to order-status. */
export function judgeStatus(
  answer: UpstreamResult<Literal>,
  order: RefusedOrder,
  clean: CleanText,
): AnswerJudgement {
  const body = answer.ok ? answer.value : bodyOf(answer);
  if (!isRecord(body)) return UNKNOWN;
  const isMissing =
    !answer.ok && answer.failure.kind === "refused" && answer.failure.status === 404;
  if (!answer.ok && !isMissing) return UNKNOWN;
  if (namesOtherOrders(body, order)) return UNKNOWN;
  const status = recordFields(body).text("status")?.toLowerCase() ?? "";
  if (status === "completed") return acceptedBody(body, order, clean);
  if (status === "failed") return failedBody(body, order, clean);
  return status === "not_found" ? { kind: "notFound" } : UNKNOWN;
}

/**
 * Judges an answer which says that the order failed. The order counts as failed also when the network gives no readable
 * reason.
 */
function failedBody(body: LiteralRecord, order: RefusedOrder, clean: CleanText): AnswerJudgement {
  const judged = judgeRefusal({ text: errorText(body), body }, order, clean);
  if (judged.kind === "refused" || judged.kind === "accepted") return judged;
  const text = "The network did not carry out the order and gave no reason";
  return { kind: "refused", rejection: { error: "orderRefused", text } };
}

function bodyOf(answer: Exclude<UpstreamResult<Literal>, { ok: true }>): Literal {
  return answer.failure.kind === "refused" ? answer.failure.body : null;
}

function judgeBody(body: Literal, order: RefusedOrder, clean: CleanText): AnswerJudgement {
  if (!isRecord(body) || body.success !== true || namesOtherOrders(body, order)) return UNKNOWN;
  const judged = acceptedBody(body, order, clean);
  const { command } = order;
  if (command.type !== "cancelOrders" || judged.kind !== "accepted") return judged;
  return isCancelRecord(judged.accepted.record) ? judged : UNKNOWN;
}

/**
 * True when the record is that of a cancel, which has the number of cancelled orders. A record of an order would be the
 * answer to another command.
 */
function isCancelRecord(record: LiteralRecord | null): boolean {
  return record !== null && recordFields(record).number("num_cancelled") !== null;
}

/** Whether the answer names orders that are not those of the command. */
function namesOtherOrders(body: LiteralRecord, { command }: RefusedOrder): boolean {
  const named = recordFields(body).text("order_uuid");
  const own = ownIds(command);
  if (named === null || own === null) return false;
  return named
    .split(",")
    .some((id) => !own.some((one) => isOrderOrLegOf(orderUuid(id.trim()), one)));
}

/** The ids that an answer may name; null for a command about all open orders or positions. */
function ownIds(command: OrderCommand): readonly OrderUuid[] | null {
  if (hasOwnId(command)) return [command.orderUuid];
  if (command.type === "editOrder") return [command.replacement.orderUuid];
  return command.target === "all" ? null : command.target.map(orderUuid);
}

/** A 400 is a refusal, also without a text. A 200 with `success: false` is a refusal only with a text. */
function judgeFailure(
  { status, error, body }: Extract<UpstreamFailure, { kind: "refused" }>,
  order: RefusedOrder,
  clean: CleanText,
): AnswerJudgement {
  if (status === 400) return judgeRefusal({ text: error, body }, order, clean);
  const isUnsuccessful = status === 200 && isRecord(body) && body.success === false;
  return isUnsuccessful ? judgeRefusal({ text: errorText(body), body }, order, clean) : UNKNOWN;
}

/**
 * Judges the text of a refusal. Without a text the fate is unknown, because the answer may also be a failure after the
 * order was accepted.
 */
function judgeRefusal(
  { text, body }: { readonly text: string; readonly body: Literal },
  order: RefusedOrder,
  clean: CleanText,
): AnswerJudgement {
  const words = clean(text);
  if (words === "") return UNKNOWN;
  const word = meaningOfNetworkText(words, order);
  switch (word.kind) {
    case "refused":
      return { kind: "refused", rejection: word.rejection };
    case "notTaken":
      return NOT_TAKEN_JUDGEMENT;
    case "seenBefore":
      return UNKNOWN;
    case "filledWithoutLegs":
      return {
        kind: "accepted",
        accepted: acceptedOf(isRecord(body) ? body : {}, { legsProblem: words, notice: "" }),
      };
  }
}

/** The judgement of an accepted order. It may have an error text: a fill whose legs were refused. */
function acceptedBody(body: LiteralRecord, order: RefusedOrder, clean: CleanText): AnswerJudgement {
  const words = clean(errorText(body));
  const isWithoutLegs =
    words !== "" && meaningOfNetworkText(words, order).kind === "filledWithoutLegs";
  const texts = isWithoutLegs
    ? { legsProblem: words, notice: "" }
    : { legsProblem: null, notice: words };
  return { kind: "accepted", accepted: acceptedOf(body, texts) };
}

function acceptedOf(
  body: LiteralRecord,
  texts: Pick<Acceptance, "legsProblem" | "notice">,
): Acceptance {
  const fields = recordFields(body);
  const seconds = fields.number("processing_time");
  const orderJson = orderJsonOf(body);
  return {
    orderJson,
    record: orderJson === null ? null : parsedRecord(orderJson),
    ...texts,
    processingTime: seconds !== null && seconds >= 0 ? seconds : null,
  };
}

function orderJsonOf(body: LiteralRecord): string | null {
  const sent = body.order_json ?? null;
  if (sent === null || sent === "" || sent === "None") return null;
  return typeof sent === "string" ? sent : JSON.stringify(sent);
}

/** Reads a record, which is a Python literal, or JSON from a gateway that writes JSON; null for any other text. */
function parsedRecord(text: string): LiteralRecord | null {
  for (const dialect of ["python", "json"] as const) {
    const read = readLiteral(text, { dialect, charactersMax: ORDER_JSON_CHARACTERS_MAX });
    if (read.ok) return isRecord(read.value) ? read.value : null;
  }
  return null;
}

function errorText(body: LiteralRecord): string {
  const fields = recordFields(body);
  return (
    fields.text("error_message") ?? fields.text("error") ?? fields.text("error_messages") ?? ""
  );
}
