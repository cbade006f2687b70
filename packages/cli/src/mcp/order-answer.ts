import { type CallToolResult, fromJsonSchema } from "@modelcontextprotocol/server";
import { type JsonSchema, ORDER_RESULT, type OrderResult } from "@propgate/contract";
import type { AcceptedOrder, OrderOutcome } from "@propgate/sdk";
import { type Failure, rejectionFailure, unsentFailure } from "./failure.ts";
import { dataAnswer, errorAnswer } from "./tool-answer.ts";
import { answerSchema } from "./tool-schema.ts";

const ORDER_FATES = ["accepted", "rejected", "unknown"] as const;

/** The schema of the answer of a trading tool, without the fields that only a failure has. */
const ORDER_OUTCOME: JsonSchema = {
  type: "object",
  properties: {
    fate: {
      type: "string",
      enum: [...ORDER_FATES],
      description:
        "`accepted`: carried out. `rejected`: nothing was changed. `unknown`: no answer came in time.",
    },
    nonce: {
      type: ["string", "null"],
      description: "The nonce for settle_order and get_receipt; null if the request was not sent.",
    },
    result: {
      anyOf: [ORDER_RESULT.json, { type: "null" }],
      description: "The result; null if the answer was lost.",
    },
    warning: {
      type: ["string", "null"],
      description: "Requested legs that were not attached; null if none is missing.",
    },
  },
};

/** The schema of any answer of a trading tool, also of a failure. */
export const ORDER_ANSWER = answerSchema(ORDER_OUTCOME, ["fate"]);

/** The answer for a request that was sent, by its fate. */
export function outcomeAnswer(outcome: OrderOutcome): CallToolResult | Promise<CallToolResult> {
  switch (outcome.fate) {
    case "accepted":
      return acceptedAnswer(outcome, null);
    case "rejected":
      return errorAnswer({ fate: "rejected", nonce: outcome.nonce, ...rejectedFailure(outcome) });
    case "unknown":
      return unknownAnswer(outcome.nonce, outcome.reason);
  }
}

/**
 * The answer for an accepted request. It is not an error even when a leg is missing, because the order was carried out.
 */
export async function acceptedAnswer(
  { nonce, result }: AcceptedOrder,
  warning: string | null,
): Promise<CallToolResult> {
  if (result === null || (await isOrderResult(result))) {
    return dataAnswer({ fate: "accepted", nonce, result, warning });
  }
  // The result is left out, because an agent's program rejects an answer that does not match its schema, and the fate
  // of the order would be lost.
  const text = "the service's answer has an unexpected shape";
  return dataAnswer({ fate: "accepted", nonce, result: null, warning: warning ?? text });
}

/** The answer for a request that this program did not send. */
export function refusedAnswer(failure: Failure): CallToolResult {
  return errorAnswer({ fate: "rejected", nonce: null, ...failure });
}

/** The answer for a request whose fate is unknown. `nonce` is null when the nonce is unknown too. */
export function unknownAnswer(nonce: string | null, error: string): CallToolResult {
  const failure = unsentFailure(error, {
    cause: "No answer came in time, so it is unknown whether the request was carried out.",
    fix:
      "Do not send it again yet: call settle_order with its nonce. If it is still unknown, read positions " +
      "and orders, and act on them.",
  });
  return errorAnswer({ fate: "unknown", nonce, ...failure, code: "unknownFate" });
}

function rejectedFailure({
  rejection,
  reason,
}: Extract<OrderOutcome, { fate: "rejected" }>): Failure {
  if (rejection !== null) return rejectionFailure(rejection);
  return unsentFailure(reason, {
    cause: "The request did not arrive and can no longer be accepted.",
    fix: "Nothing was changed. It may be sent again.",
  });
}

async function isOrderResult(result: OrderResult): Promise<boolean> {
  const checked = await fromJsonSchema({ ...ORDER_RESULT.json })["~standard"].validate(result);
  return checked.issues === undefined;
}
