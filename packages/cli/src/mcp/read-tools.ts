import type { McpServer } from "@modelcontextprotocol/server";
import {
  ACCOUNT,
  ENDPOINTS,
  type EndpointName,
  type JsonSchema,
  LIMITS,
  PAYOUTS,
  PENDING_ORDER,
  POSITION,
  QUERY_NOTES,
  TRADE,
} from "@propgate/contract";
import type { Client, PayoutsQuery } from "@propgate/sdk";
import { failureOf, refusedHere } from "./failure.ts";
import { dataAnswer, errorAnswer } from "./tool-answer.ts";
import { itemsOf, NO_ARGUMENTS, published } from "./tool-schema.ts";

type Data = Readonly<Record<string, unknown>>;

interface ReadTool {
  readonly name: string;
  readonly endpoint: EndpointName;
  readonly takes: JsonSchema;
  readonly gives: JsonSchema;
  /** A text is what is wrong with the arguments. */
  readonly read: (client: Client, given: unknown) => Promise<Data> | string;
}

/** One tool for each endpoint that reads, in the contract's order. */
const READ_TOOLS: readonly ReadTool[] = [
  {
    name: "get_account",
    endpoint: "getAccount",
    takes: NO_ARGUMENTS,
    gives: ACCOUNT.json,
    read: async (client) => ({ ...(await client.account()) }),
  },
  {
    name: "get_positions",
    endpoint: "getPositions",
    takes: NO_ARGUMENTS,
    gives: itemsOf(POSITION.json, "Open positions."),
    read: async (client) => ({ items: await client.positions() }),
  },
  {
    name: "get_orders",
    endpoint: "getOrders",
    takes: NO_ARGUMENTS,
    gives: itemsOf(PENDING_ORDER.json, "Resting orders and bracket legs."),
    read: async (client) => ({ items: await client.pendingOrders() }),
  },
  {
    name: "get_trades",
    endpoint: "getTrades",
    takes: NO_ARGUMENTS,
    gives: itemsOf(TRADE.json, "Newest first."),
    read: async (client) => ({ items: await client.trades() }),
  },
  {
    name: "get_payouts",
    endpoint: "getPayouts",
    takes: queryArguments(["limit", "cursor"]),
    gives: PAYOUTS.json,
    read: (client, given) => {
      const query = readPayoutsQuery(given);
      return typeof query === "string" ? query : readPayouts(client, query);
    },
  },
];

/** Puts every tool that only reads into the server. */
export function addReadTools(server: McpServer, client: Client): void {
  for (const { name, endpoint, takes, gives, read } of READ_TOOLS) {
    const config = {
      description: ENDPOINTS[endpoint].summary,
      inputSchema: published(takes),
      outputSchema: published(gives),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      },
    };
    server.registerTool(name, config, async (given) => {
      const asked = read(client, given);
      if (typeof asked === "string") return errorAnswer(wrongArguments(asked));
      try {
        return dataAnswer(await asked);
      } catch (error) {
        const failure = failureOf(error);
        if (failure === null) throw error;
        return errorAnswer(failure);
      }
    });
  }
}

/** What is said of arguments that no request was made of. */
export function wrongArguments(problem: string): Data {
  return refusedHere(problem, {
    cause: "The arguments do not fit the tool's schema.",
    fix: "Nothing was sent. Mend the field that the error names, then call again.",
  });
}

function queryArguments(names: readonly string[]): JsonSchema {
  const properties = names.map((name) => {
    const { schema, ...notes } = QUERY_NOTES[name] ?? {};
    return [name, { ...(isRecord(schema) ? schema : {}), ...notes }];
  });
  return { type: "object", properties: Object.fromEntries(properties) };
}

async function readPayouts(client: Client, query: PayoutsQuery): Promise<Data> {
  return { ...(await client.payouts(query)) };
}

function readPayoutsQuery(given: unknown): PayoutsQuery | string {
  const { limit = null, cursor = null } = isRecord(given) ? given : {};
  if (limit !== null && !isRows(limit)) return ROWS;
  if (cursor !== null && (typeof cursor !== "string" || cursor === "")) {
    return "'cursor' must be the `nextCursor` of the page before";
  }
  return { ...(limit === null ? {} : { limit }), ...(cursor === null ? {} : { cursor }) };
}

const ROWS = `'limit' must be a whole number of at least ${LIMITS.payoutsLimitMin}`;

function isRows(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= LIMITS.payoutsLimitMin;
}

function isRecord(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
