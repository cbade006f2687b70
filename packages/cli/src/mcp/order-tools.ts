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
import { type Client, type OrderRequest, UnknownFateError } from "@propgate/sdk";
import { capRefusal, type OrderFigures } from "./cap-check.ts";
import { type Failure, failureOf, notSent } from "./failure.ts";
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
      "open position. Never repeat a call whose fate is unknown before positions and orders are read.",
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
    result: ORDER_RESULT.json,
  },
  required: ["fate", "result"],
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
    return dataAnswer({ fate: "accepted", result: await client.placeOrder(body) });
  } catch (error) {
    if (error instanceof UnknownFateError) return unknownFate(error.status, error.message);
    const failure = failureOf(error);
    if (failure !== null) return refused(failure);
    return unknownFate(null, error instanceof Error ? error.message : String(error));
  }
}

function refused(failure: Readonly<Record<string, unknown>>): CallToolResult {
  return errorAnswer({ fate: "rejected", ...failure });
}

function unknownFate(status: number | null, error: string): CallToolResult {
  const fix =
    "Do not send it again yet: read positions and orders first, and act on what they show.";
  const cause = "Nobody can say whether the request was carried out.";
  return errorAnswer({ fate: "unknown", ...notSent(error, { cause, fix }), status });
}

function tooMany({ ordersPerMinute }: TradingCaps, waitMs: number): Failure {
  return {
    ...notSent(`at most ${ordersPerMinute} requests a minute may change the account`, {
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

function orderFigures(client: Client): OrderFigures {
  return {
    balanceUsd: async () => {
      const { account, meta } = await client.account();
      return meta.stale ? null : account.currentBalance;
    },
    valueUsd: () => Promise.resolve(null),
  };
}
