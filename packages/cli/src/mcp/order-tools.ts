import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import {
  CANCEL_REQUEST,
  CLOSE_REQUEST,
  EDIT_REQUEST,
  ENTRY_REQUEST,
  type ExecutionType,
  type JsonSchema,
  type OrderFields,
} from "@propgate/contract";
import { type Client, MissingLegError, type OrderRequest } from "@propgate/sdk";
import { capRefusal } from "./cap-check.ts";
import { type Failure, failureOf, refusedHere } from "./failure.ts";
import {
  acceptedAnswer,
  ORDER_ANSWER,
  outcomeAnswer,
  refusedAnswer,
  unknownAnswer,
} from "./order-answer.ts";
import { orderFigures } from "./order-figures.ts";
import type { OrderRate } from "./order-rate.ts";
import { NONCE_ARGUMENTS, nonceGiven, orderGiven, wrongArguments } from "./read-arguments.ts";
import { errorAnswer } from "./tool-answer.ts";
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
      "open position. Never repeat a call whose fate is unknown before settle_order has told it.",
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
  addSettling(server, desk.client);
}

/** It changes no account and lowers a risk: no cap holds it back. */
function addSettling(server: McpServer, client: Client): void {
  const config = {
    description:
      "Asks what became of an earlier request whose fate is unknown. One that has not arrived yet is " +
      "withdrawn: it cannot arrive any more.",
    inputSchema: published(NONCE_ARGUMENTS),
    outputSchema: published(ORDER_ANSWER),
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
  };
  server.registerTool("settle_order", config, async (given) => {
    const nonce = nonceGiven(given);
    if ("wrong" in nonce) return errorAnswer(wrongArguments(nonce.wrong));
    return outcomeAnswer(await client.settle(nonce.read));
  });
}

async function carryOut(desk: TradingDesk, act: Act, given: unknown): Promise<CallToolResult> {
  const read = orderGiven(given);
  if ("wrong" in read) return refusedAnswer(wrongArguments(read.wrong));
  const { order, body } = read.read;
  const kind = order.executionType;
  if (actOf(order) !== act) {
    return refusedAnswer(
      wrongArguments(`'execution_type': ${kind} belongs to the tool ${actOf(order)}`),
    );
  }
  const figures = orderFigures(desk.client);
  const overCap = await capRefusal(order, { caps: desk.caps, figures });
  if (overCap !== null) return refusedAnswer(overCap);
  const waitMs = desk.rate.take();
  return waitMs === null ? send(desk.client, body) : refusedAnswer(tooMany(desk.caps, waitMs));
}

async function send(client: Client, body: OrderRequest): Promise<CallToolResult> {
  try {
    return await outcomeAnswer(await client.placeOrder(body));
  } catch (error) {
    if (error instanceof MissingLegError) return acceptedAnswer(error.outcome, error.message);
    const failure = failureOf(error);
    if (failure?.code === "invalidOrder") return refusedAnswer(failure);
    return unknownAnswer(null, error instanceof Error ? error.message : String(error));
  }
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
