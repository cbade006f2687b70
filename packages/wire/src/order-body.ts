import {
  type JsonObject,
  type JsonReading,
  type OrderFields,
  parsePlaceOrder,
} from "@propgate/contract";
import type { Refusal } from "@propgate/core";
import type { Placement } from "@propgate/ledger";
import { refusalCode } from "./refusal-code.ts";
import { refusalText } from "./refusal-text.ts";
import type { Rejection } from "./rejection.ts";

/** A parsed order, and how its refusals refer to its legs. */
export interface SentOrder {
  readonly order: OrderFields;
  readonly ignoredFields: readonly string[];
  readonly legs: "listed" | "topLevel";
}

interface SentBody {
  readonly body: { json(): JsonReading };
  /** Why the headers do not announce JSON; null when they do. */
  readonly typeProblem: () => string | null;
}

type ReadBody<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly rejection: Rejection };

/** Reads a body that must be JSON. @rule D2.json */
export function readJsonBody(sent: SentBody): ReadBody<JsonObject> {
  const problem = sent.typeProblem();
  if (problem !== null) return bodyRejection("invalidBody", problem);
  const json = sent.body.json();
  return json.ok ? json : bodyRejection("invalidBody", json.problem);
}

/** Parses the body of an order that is placed or previewed. @rule S4.2.fields D2.body */
export function readOrderBody(sent: SentBody): ReadBody<SentOrder> {
  const json = readJsonBody(sent);
  if (!json.ok) return json;
  const parsed = parsePlaceOrder(json.value);
  if (!parsed.ok) return bodyRejection(parsed.error, parsed.message);
  const { order, ignoredFields } = parsed;
  return { ok: true, value: { order, ignoredFields, legs: legsOf(json.value) } };
}

function bodyRejection(error: Rejection["error"], text: string) {
  return { ok: false, rejection: { error, text } } as const;
}

/** The rejection for a trader's command that was not carried out; `sent` is left out for one without legs. */
export function placementRejection(
  placement: Extract<Placement, { readonly ok: false }>,
  sent: Pick<SentOrder, "legs"> = { legs: "topLevel" },
): Rejection {
  return "error" in placement
    ? { error: placement.error }
    : rejectionOfRefusal(placement.refusal, sent);
}

/** The network's refusal as a rejection in the API's form. @rule D5.refusal D10.refusalCodes */
export function rejectionOfRefusal(refusal: Refusal, { legs }: Pick<SentOrder, "legs">): Rejection {
  const code = refusalCode(refusal);
  const why = code === null ? {} : { refusalCode: code };
  return refusal.code === "accountNotReady"
    ? { error: "accountNotReady", ...why }
    : { error: "orderRefused", text: refusalText(refusal, legs), ...why };
}

/** Where the body has its legs. An empty `bracket_orders`, like null, leaves the leg in the top-level fields. */
function legsOf({ trade }: JsonObject): SentOrder["legs"] {
  const hasList = typeof trade === "object" && trade !== null && "bracket_orders" in trade;
  const listed = hasList ? trade.bracket_orders : null;
  return Array.isArray(listed) && listed.length > 0 ? "listed" : "topLevel";
}
