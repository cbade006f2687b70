import { randomBytes, randomInt } from "node:crypto";
import { request } from "node:http";
import { DASHBOARD_PREFIX, LIVE_EVENT } from "@propgate/contract";
import type { DashboardClient } from "../../packages/server/src/testing/dashboard-client.ts";
import { signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import type { Trader } from "../kills/kill-under-load.ts";

/** A stop in an answer. */
export interface SeenStop {
  readonly positionUuid: string;
  /** The price at which the position was opened; null when the answer does not contain it. */
  readonly entryPrice: number | null;
  /** The stop's level; null when the answer has none. */
  readonly level: number | null;
  /** The best price that the stop has followed; null when the answer does not contain it. */
  readonly bestPrice: number | null;
}

/** The stops of an account in one answer. */
export interface StopsAnswer {
  readonly stops: readonly SeenStop[];
  /** True when the answer lists all open positions. */
  readonly isWhole: boolean;
}

/** One kind of read that shows the stops of an account. */
export interface StopReading {
  readonly name: string;
  /** Reads the stops. @throws when the service does not answer 200 */
  readonly read: (at: ReadAt) => Promise<StopsAnswer>;
}

/** The node, time and credentials of a read. */
export interface ReadAt {
  readonly baseUrl: string;
  /** The time with which the request is signed. */
  readonly atMs: number;
  readonly trader: Trader;
  readonly browser: DashboardClient | null;
  /** The id of a leg of the account; null when none is known. */
  readonly leg: string | null;
}

/** Every read of the API and of the pages that shows the level of a trailing stop, except the stream. */
export const STOP_READS: readonly StopReading[] = [
  {
    name: "GET positions",
    read: async (at) => ({
      stops: listOf(await get(at, "positions")).map(stopOfPosition),
      isWhole: true,
    }),
  },
  {
    name: "GET orders",
    read: async (at) => ({ stops: legsOf(await get(at, "orders")), isWhole: false }),
  },
  {
    name: "GET orders/{id}",
    async read(at) {
      if (at.leg === null) return NO_STOPS;
      return { stops: legsOf([await get(at, `orders/${at.leg}`)]), isWhole: false };
    },
  },
  {
    name: "GET order-history",
    async read(at) {
      const history = fieldsOf(await get(at, "order-history?limit=5"));
      return { stops: legsOf(history.items), isWhole: false };
    },
  },
  {
    name: "pages, state",
    async read({ browser, trader }) {
      if (browser === null) return NO_STOPS;
      return stopsOfState(await browser.data("GET", `/accounts/${trader.accountId}/state`));
    },
  },
];

const NO_STOPS: StopsAnswer = { stops: [], isWhole: false };

/** Follows the stream of the pages. Calls `onAnswer` for each state, and resolves when the connection ends. */
export function followStopStream(
  { baseUrl, browser, trader }: ReadAt,
  onAnswer: (answer: StopsAnswer) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = `${DASHBOARD_PREFIX}/accounts/${trader.accountId}/live`;
  const headers = { cookie: browser?.cookie() ?? "", "sec-fetch-site": "same-origin" };
  return new Promise((resolve) => {
    const sent = request(`${baseUrl}${path}`, { headers, signal }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        const events = (text + chunk).split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) {
          const data = /^data: (.*)$/m.exec(event)?.[1];
          if (event.includes(`event: ${LIVE_EVENT}\n`) && data !== undefined) {
            onAnswer(stopsOfState(JSON.parse(data)));
          }
        }
      });
      response.on("close", () => resolve());
      response.on("error", () => resolve());
    });
    sent.on("error", () => resolve());
    sent.end();
  });
}

/** The price at which a position was closed; null when the account has no such trade. */
export async function closePriceOf(at: ReadAt, positionUuid: string): Promise<number | null> {
  const trade = listOf(await get(at, "trades")).find((one) => fieldsOf(one).id === positionUuid);
  return numberOrNull(fieldsOf(trade).closePriceNumeric);
}

/** The `data` of a signed GET. */
async function get(at: ReadAt, endpoint: string): Promise<unknown> {
  return send(at, { method: "GET", endpoint, body: "" });
}

/**
 * Sends an order. Its answer is not used, because positions are read afterwards. @throws when the service does not
 * answer 200
 */
export async function placeOrder(at: ReadAt, trade: object): Promise<void> {
  await send(at, { method: "POST", endpoint: "orders", body: JSON.stringify({ trade }) });
}

async function send(
  { baseUrl, atMs, trader }: ReadAt,
  { method, endpoint, body }: { method: "GET" | "POST"; endpoint: string; body: string },
): Promise<unknown> {
  const target = `/api/v1/trading/${endpoint}`;
  const nonce = randomBytes(16).toString("hex");
  const timestamp = String(atMs);
  const headers = {
    ...signedHeaders(trader, { method, target, body, timestamp, nonce }),
    ...(body === "" ? {} : { "content-type": "application/json" }),
  };
  const init = { method, headers, ...(body === "" ? {} : { body }) };
  const response = await fetch(`${baseUrl}${target}`, init);
  const answer: unknown = await response.json();
  if (response.status !== 200) throw new NotAnswered(`${endpoint}: ${response.status}`);
  return fieldsOf(answer).data;
}

/** Thrown for an answer other than 200: it shows no level. */
class NotAnswered extends Error {}

function stopsOfState(state: unknown): StopsAnswer {
  const { positions, orders } = fieldsOf(state);
  return { stops: [...listOf(positions).map(stopOfPosition), ...legsOf(orders)], isWhole: true };
}

function stopOfPosition(position: unknown): SeenStop {
  const { positionUuid, stopLoss, averageEntryPrice } = fieldsOf(position);
  return {
    positionUuid: String(positionUuid),
    entryPrice: numberOrNull(averageEntryPrice),
    level: numberOrNull(stopLoss),
    bestPrice: null,
  };
}

/** The trailing legs in a list of orders. */
function legsOf(orders: unknown): readonly SeenStop[] {
  return listOf(orders)
    .map(fieldsOf)
    .filter(({ currentStop }) => typeof currentStop === "number")
    .map(({ positionUuid, currentStop, bestPrice }) => ({
      positionUuid: String(positionUuid),
      entryPrice: null,
      level: numberOrNull(currentStop),
      bestPrice: numberOrNull(bestPrice),
    }));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return { ...Object(value) };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** A random item of the list. @throws when it is empty */
export function randomItem<Item>(items: readonly Item[]): Item {
  const item = items[randomInt(items.length)];
  if (item === undefined) throw new Error("broken invariant: an item");
  return item;
}
