import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import {
  ACCOUNT,
  CANDLE,
  ENTRY_REQUEST,
  EVENT_CAUSE,
  EVENT_TYPES,
  EVENTS_PAGE,
  INSTRUMENT,
  type JsonSchema,
  type Linked,
  linked,
  PAYOUTS,
  PENDING_ORDER,
  POSITION,
  PREVIEW,
  QUOTE,
  RECEIPT,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
  TRADE,
} from "@propgate/contract";
import type { Client } from "@propgate/sdk";
import { createAnswerMaker } from "./answer-maker.ts";
import { failureOf } from "./failure.ts";
import {
  fieldsOf,
  NO_ARGUMENTS,
  NONCE_ARGUMENTS,
  queryArguments,
  type ReadArguments,
  readCandlesQuery,
  readEventsQuery,
  readNonce,
  readOrderArguments,
  readPayoutsQuery,
  readQuotedPairs,
  unknownArgumentProblem,
  wrongArguments,
} from "./read-arguments.ts";
import { errorAnswer } from "./tool-answer.ts";
import { answerSchema, argumentsSchema, itemsSchema, toolSchema } from "./tool-schema.ts";

type Data = Readonly<Record<string, unknown>>;

interface ReadTool {
  readonly name: string;
  readonly endpoint: SignedEndpointName;
  readonly takes: JsonSchema;
  readonly gives: JsonSchema;
  readonly read: (client: Client<Linked>, given: unknown) => ReadArguments<() => Promise<Data>>;
}

/**
 * The schema of a page of events without the fields of each type, which would be longer than all other tools together.
 */
const EVENTS_SUMMARY: JsonSchema = {
  ...EVENTS_PAGE.json,
  properties: {
    ...fieldsOf(EVENTS_PAGE.json.properties),
    items: {
      type: "array",
      description: "Oldest first. `data` depends on `type`.",
      items: {
        type: "object",
        properties: {
          sequence: { type: "integer", description: "1, 2, 3, … without gaps." },
          type: { type: "string", enum: [...EVENT_TYPES] },
          atMs: { type: "integer" },
          cause: EVENT_CAUSE.json,
          data: { type: "object" },
        },
        required: ["sequence", "type", "atMs", "cause", "data"],
      },
    },
  },
};

/** One tool for each endpoint that does not change the account, in the contract's order. */
const READ_TOOLS: readonly ReadTool[] = [
  {
    name: "get_account",
    endpoint: "getAccount",
    takes: NO_ARGUMENTS,
    gives: linked(ACCOUNT).json,
    read: (client) => ({ read: async () => ({ ...(await client.account()) }) }),
  },
  {
    name: "get_positions",
    endpoint: "getPositions",
    takes: NO_ARGUMENTS,
    gives: itemsSchema(linked(POSITION).json, "Open positions."),
    read: (client) => ({ read: async () => ({ items: await client.positions() }) }),
  },
  {
    name: "get_orders",
    endpoint: "getOrders",
    takes: NO_ARGUMENTS,
    gives: itemsSchema(PENDING_ORDER.json, "Pending orders and bracket legs."),
    read: (client) => ({ read: async () => ({ items: await client.pendingOrders() }) }),
  },
  {
    name: "get_trades",
    endpoint: "getTrades",
    takes: NO_ARGUMENTS,
    gives: itemsSchema(linked(TRADE).json, "Newest first."),
    read: (client) => ({ read: async () => ({ items: await client.trades() }) }),
  },
  {
    name: "get_payouts",
    endpoint: "getPayouts",
    takes: queryArguments("getPayouts", ["limit", "cursor"]),
    gives: linked(PAYOUTS).json,
    read: (client, given) =>
      withArguments(readPayoutsQuery(given), async (query) => ({
        ...(await client.payouts(query)),
      })),
  },
  {
    name: "get_instruments",
    endpoint: "getInstruments",
    takes: NO_ARGUMENTS,
    gives: itemsSchema(linked(INSTRUMENT).json, "Every pair."),
    read: (client) => ({ read: async () => ({ items: await client.instruments() }) }),
  },
  {
    name: "get_quotes",
    endpoint: "getQuotes",
    takes: queryArguments("getQuotes", ["pairs"]),
    gives: itemsSchema(QUOTE.json, "By pair."),
    read: (client, given) =>
      withArguments(readQuotedPairs(given), async (pairs) => ({
        items: await client.quotes(pairs ?? undefined),
      })),
  },
  {
    name: "get_candles",
    endpoint: "getCandles",
    takes: queryArguments("getCandles", ["tradePair", "interval", "after", "limit"]),
    gives: itemsSchema(CANDLE.json, "Oldest first."),
    read: (client, given) =>
      withArguments(readCandlesQuery(given), async (query) => ({
        items: await client.candles(query),
      })),
  },
  {
    name: "get_receipt",
    endpoint: "getReceipt",
    takes: NONCE_ARGUMENTS,
    gives: RECEIPT.json,
    read: (client, given) =>
      withArguments(readNonce(given), async (nonce) => ({ ...(await client.receipt(nonce)) })),
  },
  {
    name: "get_events",
    endpoint: "getEvents",
    takes: queryArguments("getEvents", ["after", "limit", "types"]),
    gives: EVENTS_SUMMARY,
    read: (client, given) =>
      withArguments(readEventsQuery(given), async (query) => ({
        ...(await client.eventsPage(query)),
      })),
  },
  {
    name: "preview_order",
    endpoint: "previewOrder",
    takes: ENTRY_REQUEST.json,
    gives: PREVIEW.json,
    read: (client, given) =>
      withArguments(readOrderArguments(given), async ({ body }) => ({
        ...(await client.preview(body)),
      })),
  },
];

function withArguments<Read>(
  given: ReadArguments<Read>,
  work: (read: Read) => Promise<Data>,
): ReadArguments<() => Promise<Data>> {
  return "wrong" in given ? given : { read: () => work(given.read) };
}

const READS_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
} as const;

/** Adds a tool for each endpoint that does not change the account. */
export function addReadTools(server: McpServer, client: Client<Linked>): void {
  for (const { name, endpoint, takes, gives, read } of READ_TOOLS) {
    const config = {
      description: SIGNED_ENDPOINTS[endpoint].summary,
      inputSchema: argumentsSchema(takes),
      outputSchema: toolSchema(answerSchema(gives)),
      annotations: READS_ONLY,
    };
    const announced = createAnswerMaker(gives);
    server.registerTool(name, config, (given) => {
      const unread = unknownArgumentProblem(takes, given);
      return answer(unread === null ? read(client, given) : { wrong: unread }, announced);
    });
  }
}

async function answer(
  request: ReadArguments<() => Promise<Data>>,
  announced: (data: Data) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  if ("wrong" in request) return errorAnswer(wrongArguments(request.wrong));
  try {
    return await announced(await request.read());
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return errorAnswer(failure);
  }
}
