import { type CallToolResult, fromJsonSchema } from "@modelcontextprotocol/server";
import { type JsonSchema, ORDER_RESULT, type OrderResult } from "@propgate/contract";
import type { AcceptedOrder, OrderOutcome } from "@propgate/sdk";
import { type Failure, refusedHere, rejectionFailure } from "./failure.ts";
import { dataAnswer, errorAnswer } from "./tool-answer.ts";

const ORDER_FATES = ["accepted", "rejected", "unknown"] as const;

/** What a tool that trades answers when the request was carried out. */
export const ORDER_ANSWER: JsonSchema = {
  type: "object",
  properties: {
    fate: {
      type: "string",
      enum: [...ORDER_FATES],
      description:
        "`accepted`: carried out. `rejected`: it changed nothing. `unknown`: the service did not say.",
    },
    nonce: {
      type: ["string", "null"],
      description:
        "What settle_order and get_receipt ask for the request by; null: it was never sent.",
    },
    result: {
      anyOf: [ORDER_RESULT.json, { type: "null" }],
      description: "Null: carried out, and its answer was lost.",
    },
    warning: {
      type: ["string", "null"],
      description: "What was asked for and not attached; null: nothing is missing.",
    },
  },
  required: ["fate", "nonce", "result", "warning"],
};

/** What became of a request that was sent. */
export function outcomeAnswer(outcome: OrderOutcome): CallToolResult | Promise<CallToolResult> {
  switch (outcome.fate) {
    case "accepted":
      return acceptedAnswer(outcome, null);
    case "rejected":
      return errorAnswer({ fate: "rejected", nonce: outcome.nonce, ...rejected(outcome) });
    case "unknown":
      return unknownAnswer(outcome.nonce, outcome.reason);
  }
}

/** No error, even where something is missing: the order stands. */
export async function acceptedAnswer(
  { nonce, result }: AcceptedOrder,
  warning: string | null,
): Promise<CallToolResult> {
  if (result === null || (await isOrderResult(result))) {
    return dataAnswer({ fate: "accepted", nonce, result, warning });
  }
  // An agent's program throws away what is not of the published shape, and the fate with it.
  const text = "the service's answer is not of the shape that this program knows";
  return dataAnswer({ fate: "accepted", nonce, result: null, warning: warning ?? text });
}

/** What was never sent. */
export function refusedAnswer(failure: Failure): CallToolResult {
  return errorAnswer({ fate: "rejected", nonce: null, ...failure });
}

/** Null: not even the nonce is known. */
export function unknownAnswer(nonce: string | null, error: string): CallToolResult {
  const failure = refusedHere(error, {
    cause: "The service did not say in time whether the request was carried out.",
    fix:
      "Do not send it again yet: call settle_order with its nonce. When it is unknown still, read " +
      "positions and orders, and act on what they show.",
  });
  return errorAnswer({ fate: "unknown", nonce, ...failure, code: "unknownFate" });
}

function rejected({ rejection, reason }: Extract<OrderOutcome, { fate: "rejected" }>): Failure {
  if (rejection !== null) return rejectionFailure(rejection);
  return refusedHere(reason, {
    cause: "It never arrived, and never will.",
    fix: "Nothing was changed. It may be sent again.",
  });
}

async function isOrderResult(result: OrderResult): Promise<boolean> {
  const checked = await fromJsonSchema({ ...ORDER_RESULT.json })["~standard"].validate(result);
  return checked.issues === undefined;
}
