import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import {
  actOf,
  CANCEL_REQUEST,
  CLOSE_REQUEST,
  EDIT_REQUEST,
  ENTRY_REQUEST,
  type JsonSchema,
  type OrderAct,
  type OrderFields,
} from "@propgate/contract";
import {
  type Client,
  type Linked,
  MissingLegError,
  type OnProgress,
  type OrderRequest,
} from "@propgate/sdk";
import type { CallRate } from "./call-rate.ts";
import { capRefusal, refusedByCap, takeRateSlot } from "./cap-check.ts";
import { type Failure, failureOf, unsentFailure } from "./failure.ts";
import type { LostOrders } from "./lost-orders.ts";
import type { OpeningQueue } from "./opening-queue.ts";
import {
  acceptedAnswer,
  ORDER_ANSWER,
  outcomeAnswer,
  refusedAnswer,
  unknownAnswer,
} from "./order-answer.ts";
import { createOrderFigures, type OrderFigures } from "./order-figures.ts";
import {
  LOST_NONCE_ARGUMENTS,
  readLostNonce,
  readOrderArguments,
  unknownArgumentProblem,
  wrongArguments,
} from "./read-arguments.ts";
import type { StartEquity } from "./start-equity.ts";
import { onlyReducesRisk, reducesPosition } from "./sum-caps.ts";
import type { TimeLimits } from "./time-limits.ts";
import { errorAnswer } from "./tool-answer.ts";
import { argumentsSchema, toolSchema } from "./tool-schema.ts";
import type { TradingCaps } from "./trading-caps.ts";

/** The client, the limits and the records that all trading tools share. */
export interface TradingDesk {
  readonly client: Client<Linked>;
  readonly caps: TradingCaps;
  readonly limits: TimeLimits;
  readonly rate: CallRate;
  readonly lost: LostOrders;
  /** Makes orders that may open or add to a position wait for each other while a cap on a sum is set. */
  readonly openingQueue: OpeningQueue;
  readonly start: StartEquity;
}

const ORDER_TOOL_NAMES = ["place_order", "edit_order", "cancel_orders", "close_positions"] as const;
type OrderToolName = (typeof ORDER_TOOL_NAMES)[number];

interface OrderTool {
  readonly description: string;
  readonly takes: JsonSchema;
  /** True when a repetition of the call has no further effect. */
  readonly isIdempotent: boolean;
}

const ORDER_TOOLS: Readonly<Record<OrderToolName, OrderTool>> = {
  place_order: {
    description:
      "Places an order: MARKET, LIMIT, STOP_LIMIT, or BRACKET, which attaches stops and targets to an " +
      "open position. Never repeat a call with an unknown fate before settle_order has found it out.",
    takes: ENTRY_REQUEST.json,
    isIdempotent: false,
  },
  edit_order: {
    description: "Replaces a pending order or leg under its id; send the whole order again.",
    takes: EDIT_REQUEST.json,
    isIdempotent: true,
  },
  cancel_orders: {
    description:
      "Cancels pending orders. It can also cancel the legs of a position, which is then unprotected.",
    takes: CANCEL_REQUEST.json,
    isIdempotent: true,
  },
  close_positions: {
    description: "Closes positions at the market: every position, the named ones, or one pair's.",
    takes: CLOSE_REQUEST.json,
    isIdempotent: true,
  },
};

/**
 * Adds the tools that place and edit orders, cancel orders and close positions, and the tool that finds out an order's
 * fate.
 */
export function addOrderTools(server: McpServer, desk: TradingDesk): void {
  for (const act of ORDER_TOOL_NAMES) {
    const { description, takes, isIdempotent } = ORDER_TOOLS[act];
    const config = {
      description,
      inputSchema: argumentsSchema(takes),
      outputSchema: toolSchema(ORDER_ANSWER),
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: isIdempotent,
        openWorldHint: true,
      },
    };
    server.registerTool(act, config, (given) => carryOut(desk, act, given));
  }
  addSettleTool(server, desk);
}

/** Adds the tool that finds out an order's fate. It does not change the account, so no cap applies. */
function addSettleTool(server: McpServer, desk: TradingDesk): void {
  const config = {
    description:
      "Finds out the fate of an earlier request: the one with this nonce, or, without arguments, the last " +
      "one with an unknown fate. A request that has not arrived yet is withdrawn, so it can no longer " +
      "be accepted.",
    inputSchema: argumentsSchema(LOST_NONCE_ARGUMENTS),
    outputSchema: toolSchema(ORDER_ANSWER),
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
  };
  server.registerTool("settle_order", config, async (given) => {
    const unread = unknownArgumentProblem(LOST_NONCE_ARGUMENTS, given);
    const read = unread === null ? readLostNonce(given) : { wrong: unread };
    if ("wrong" in read) {
      // The fate of this failed call is not `rejected`, because an agent could read that as the fate of its order.
      return errorAnswer({ fate: "unknown", nonce: null, ...wrongArguments(read.wrong) });
    }
    const nonce = read.read ?? desk.lost.lastNonce();
    if (nonce === null) return refusedAnswer(NO_LOST_ORDER);
    try {
      const outcome = await desk.client.settle(nonce);
      desk.lost.noteFate(nonce, outcome.fate);
      return await outcomeAnswer(outcome);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      return unknownAnswer(nonce, failure.error);
    }
  });
}

const NO_LOST_ORDER = unsentFailure("no request of this server has an unknown fate", {
  cause: "Every request of this server has been answered.",
  fix: "Nothing was sent. To find out about another request, pass its `nonce`.",
});

async function carryOut(
  desk: TradingDesk,
  act: OrderToolName,
  given: unknown,
): Promise<CallToolResult> {
  const read = readOrderArguments(given);
  if ("wrong" in read) return refusedAnswer(wrongArguments(read.wrong));
  const { order, body } = read.read;
  const kind = order.executionType;
  const tool = TOOL_OF_ACT[actOf(order)];
  if (tool !== act) {
    return refusedAnswer(wrongArguments(`'execution_type': ${kind} belongs to the tool ${tool}`));
  }
  if (onlyReducesRisk(order)) return send(desk, { body, opens: false });
  const figures = createOrderFigures(desk.client, desk.limits.figuresMs);
  const { maxExposureUsd, maxLossUsd } = desk.caps;
  const work = (): Promise<CallToolResult> => sendWithinCaps(desk, { order, body, figures });
  if (maxExposureUsd === null && maxLossUsd === null) return work();
  return (
    (await desk.openingQueue.run(figures.signal, work)) ?? refusedAnswer(OTHER_ORDER_IN_PROGRESS)
  );
}

/** Sends the order unless a cap or the rate rejects it. An order that reduces a position is always sent. */
async function sendWithinCaps(
  desk: TradingDesk,
  what: {
    readonly order: OrderFields;
    readonly body: OrderRequest;
    readonly figures: OrderFigures;
  },
): Promise<CallToolResult> {
  const { order, body, figures } = what;
  const rejection = (await capRefusal(order, { ...desk, figures })) ?? orderRateRefusal(desk);
  if (rejection === null) return send(desk, { body, opens: true });
  const reduces = await reducesPosition(order, figures).catch(() => false);
  return reduces ? send(desk, { body, opens: false }) : refusedAnswer(rejection);
}

const OTHER_ORDER_IN_PROGRESS = refusedByCap(
  "another order is in progress, and orders that open positions are sent one after the other",
  "Nothing was sent. Wait for its answer, then call again. Closing and cancelling work meanwhile.",
);

async function send(
  { client, lost }: TradingDesk,
  { body, opens }: { readonly body: OrderRequest; readonly opens: boolean },
): Promise<CallToolResult> {
  const sent: string[] = [];
  const onProgress: OnProgress = ({ step, nonce }) => {
    if (step !== "sending") return;
    // The client signs an order again only after the first nonce was rejected, so all nonces but the last were
    // rejected.
    for (const before of sent) lost.noteFate(before, "rejected");
    sent.push(nonce);
    lost.noteSent(nonce, opens);
  };
  try {
    const outcome = await client.placeOrder(body, { onProgress });
    lost.noteFate(outcome.nonce, outcome.fate);
    return await outcomeAnswer(outcome);
  } catch (error) {
    if (error instanceof MissingLegError) {
      lost.noteFate(error.outcome.nonce, "accepted");
      return acceptedAnswer(error.outcome, error.message);
    }
    const failure = failureOf(error);
    if (failure?.code === "invalidOrder") return refusedAnswer(failure);
    const text = error instanceof Error ? error.message : String(error);
    return unknownAnswer(sent.at(-1) ?? null, text);
  }
}

function orderRateRefusal({ rate, caps }: TradingDesk): Failure | null {
  return takeRateSlot(
    rate,
    `at most ${caps.ordersPerMinute} requests a minute may open, add, protect or edit`,
    "Closing and cancelling work meanwhile.",
  );
}

/** The name of the tool for the orders of each act. */
const TOOL_OF_ACT: Readonly<Record<OrderAct, OrderToolName>> = {
  place: "place_order",
  edit: "edit_order",
  cancel: "cancel_orders",
  close: "close_positions",
};
