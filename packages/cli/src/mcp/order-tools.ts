import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import {
  CANCEL_REQUEST,
  CLOSE_REQUEST,
  EDIT_REQUEST,
  ENTRY_REQUEST,
  type ExecutionType,
  type JsonSchema,
  ORDER_RESULT,
  type OrderFields,
  parsePlaceOrder,
} from "@propgate/contract";
import { type Client, MissingLegError, type OrderOutcome, type OrderRequest } from "@propgate/sdk";
import { capRefusal } from "./cap-check.ts";
import { type Failure, failureOf, refusedHere, rejectionFailure } from "./failure.ts";
import { orderFigures } from "./order-figures.ts";
import type { OrderRate } from "./order-rate.ts";
import { wrongArguments } from "./read-tools.ts";
import { dataAnswer, errorAnswer } from "./tool-answer.ts";
import { published } from "./tool-schema.ts";
import type { TradingCaps } from "./trading-caps.ts";

/** What the tools that trade work with. */
export interface TradingDesk {
  readonly client: Client;
  readonly caps: TradingCaps;
  readonly rate: OrderRate;
}

const ACTS = ["place_order", "edit_order", "cancel_orders", "close_positions"] as const;
type Act = (typeof ACTS)[number];

interface OrderTool {
  readonly description: string;
  readonly takes: JsonSchema;
  /** Whether the same call again would change nothing more. */
  readonly isIdempotent: boolean;
}

const ORDER_TOOLS: Readonly<Record<Act, OrderTool>> = {
  place_order: {
    description:
      "Places an order: MARKET, LIMIT, STOP_LIMIT, or BRACKET, which puts stops and targets on an " +
      "open position. Never repeat a call whose fate is unknown before its receipt, positions and orders are read.",
    takes: ENTRY_REQUEST.json,
    isIdempotent: false,
  },
  edit_order: {
    description: "Replaces a resting order or leg, under the id it has; send all of it again.",
    takes: EDIT_REQUEST.json,
    isIdempotent: true,
  },
  cancel_orders: {
    description:
      "Cancels resting orders. The legs of a position can be cancelled too: it is unprotected then.",
    takes: CANCEL_REQUEST.json,
    isIdempotent: true,
  },
  close_positions: {
    description: "Closes positions at the market: every one, those named, or one pair's.",
    takes: CLOSE_REQUEST.json,
    isIdempotent: true,
  },
};

export const ORDER_FATES = ["accepted", "rejected", "unknown"] as const;

const ORDER_ANSWER: JsonSchema = {
  type: "object",
  properties: {
    fate: {
      type: "string",
      enum: [...ORDER_FATES],
      description:
        "`accepted`: carried out. `rejected`: it changed nothing. `unknown`: nobody can say.",
    },
    nonce: {
      type: ["string", "null"],
      description: "What get_receipt asks for the request by; null: it was never sent.",
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

/** Puts the tools that change the account into the server. */
export function addOrderTools(server: McpServer, desk: TradingDesk): void {
  for (const act of ACTS) {
    const { description, takes, isIdempotent } = ORDER_TOOLS[act];
    const config = {
      description,
      inputSchema: published(takes),
      outputSchema: published(ORDER_ANSWER),
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: isIdempotent,
        openWorldHint: true,
      },
    };
    server.registerTool(act, config, (given) => carryOut(desk, act, given));
  }
}

async function carryOut(desk: TradingDesk, act: Act, given: unknown): Promise<CallToolResult> {
  const read = readOrder(act, given);
  if (typeof read === "string") return refused(wrongArguments(read));
  const { order, body } = read;
  const figures = orderFigures(desk.client);
  const overCap = await capRefusal(order, { caps: desk.caps, figures });
  if (overCap !== null) return refused(overCap);
  const waitMs = desk.rate.take();
  return waitMs === null ? send(desk.client, body) : refused(tooMany(desk.caps, waitMs));
}

async function send(client: Client, body: OrderRequest): Promise<CallToolResult> {
  try {
    return answerOf(await client.placeOrder(body));
  } catch (error) {
    // Accepted, and not protected as it was asked for: no error, for the order stands.
    if (error instanceof MissingLegError) {
      const { nonce, result } = error.outcome;
      return dataAnswer({ fate: "accepted", nonce, result, warning: error.message });
    }
    const failure = failureOf(error);
    if (failure?.code === "invalidOrder") return refused(failure);
    return unknownFate(null, error instanceof Error ? error.message : String(error));
  }
}

function answerOf(outcome: OrderOutcome): CallToolResult {
  const { nonce } = outcome;
  switch (outcome.fate) {
    case "accepted":
      return dataAnswer({ fate: "accepted", nonce, result: outcome.result, warning: null });
    case "rejected": {
      const { rejection, reason } = outcome;
      const cause = "It never arrived, and never will.";
      const fix = "Nothing was changed. It may be sent again.";
      const failure =
        rejection === null ? refusedHere(reason, { cause, fix }) : rejectionFailure(rejection);
      return errorAnswer({ fate: "rejected", nonce, ...failure });
    }
    case "unknown":
      return unknownFate(nonce, outcome.reason);
  }
}

function refused(failure: Readonly<Record<string, unknown>>): CallToolResult {
  return errorAnswer({ fate: "rejected", nonce: null, ...failure });
}

function unknownFate(nonce: string | null, error: string): CallToolResult {
  const cause = "Nobody can say whether the request was carried out.";
  const fix =
    "Do not send it again yet: ask get_receipt for its nonce, read positions and orders, and act on what they show.";
  return errorAnswer({
    fate: "unknown",
    nonce,
    ...refusedHere(error, { cause, fix }),
    code: "unknownFate",
  });
}

function tooMany({ ordersPerMinute }: TradingCaps, waitMs: number): Failure {
  return {
    ...refusedHere(`at most ${ordersPerMinute} requests a minute may change the account`, {
      cause: "A cap of this MCP server, set where it was started.",
      fix: "Nothing was sent. Wait `retryAfterMs`, then call again.",
    }),
    retryAfterMs: waitMs,
  };
}

interface ReadOrder {
  readonly order: OrderFields;
  readonly body: OrderRequest;
}

/** The order as the service would read it; a text is what is wrong with it. */
function readOrder(act: Act, given: unknown): ReadOrder | string {
  const parsed = parsePlaceOrder(given);
  if (!parsed.ok) return parsed.message;
  const belongs = actOf(parsed.order);
  if (belongs !== act) {
    return `'execution_type': ${parsed.order.executionType} belongs to the tool ${belongs}`;
  }
  // The service would ignore it; an agent that misspells `stop_loss` shall not trade without one.
  const [ignored] = parsed.ignoredFields;
  if (ignored !== undefined) return `'${ignored}' is a field that this order does not have`;
  return isOrderBody(given) ? { order: parsed.order, body: given } : "'trade' is required";
}

function actOf(order: OrderFields): Act {
  if (order.executionType === "MARKET" && order.orderType === "FLAT") return "close_positions";
  return ACT_OF[order.executionType];
}

const ACT_OF: Readonly<Record<ExecutionType, Act>> = {
  MARKET: "place_order",
  LIMIT: "place_order",
  STOP_LIMIT: "place_order",
  BRACKET: "place_order",
  LIMIT_CANCEL: "cancel_orders",
  LIMIT_EDIT: "edit_order",
  FLAT_ALL: "close_positions",
};

/** Its fields have been read by the parser of the contract. */
function isOrderBody(body: unknown): body is OrderRequest {
  return typeof body === "object" && body !== null && "trade" in body;
}
