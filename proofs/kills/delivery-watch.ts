import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { isRecord } from "@propgate/contract";
import { listenerPort } from "../../packages/base/src/listener-port.ts";
import type { Victim } from "./victim.ts";

/**
 * The deliveries that reached a receiver of two webhooks, one of events and one of alerts, by account and by owner in
 * the order in which they came.
 */
export interface DeliveryWatch {
  /** Makes the webhooks that are watched, for every account and owner from the first event and alert on. */
  begin(): Promise<void>;
  /** Resolves when the service has nothing more to deliver. */
  idle(): Promise<void>;
  /** The numbers of the events of an account, or of the alerts of an owner. */
  of(lane: string): readonly number[];
  close(): Promise<void>;
}

const BETWEEN_MS = 100;
/** The types of all alerts that the owners here can get. */
const ALERTS = ["key.created", "key.revoked", "key.paused"] as const;

export async function watchDeliveries(victim: Victim, token: string): Promise<DeliveryWatch> {
  const received = new Map<string, number[]>();
  const webhooks: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { lane, number } = deliveredIn(Buffer.concat(chunks).toString("utf8"));
      received.set(lane, [...(received.get(lane) ?? []), number]);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const call = async (method: "GET" | "POST", path: string, body?: unknown) => {
    const response = await fetch(`${victim.baseUrl}/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (isRecord(answer) && isRecord(answer.data)) return answer.data;
    throw new Error(`${method} ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  };
  return {
    async begin() {
      const url = `http://127.0.0.1:${listenerPort(server.address())}/hook`;
      for (const types of [{}, { types: ALERTS }]) {
        const made = await call("POST", "/webhooks", { url, from: "start", ...types });
        webhooks.push(String(made.id));
      }
    },
    async idle() {
      for (;;) {
        // An alert has no lane before it has its number.
        const { items } = await call("GET", "/alerts?number=null&limit=1");
        const lanes = webhooks.map((id) => call("GET", `/webhooks/${id}/lanes?behindMin=1`));
        const behind = (await Promise.all(lanes)).map((one) => one.items);
        if ([items, ...behind].every((one) => Array.isArray(one) && one.length === 0)) return;
        await setTimeout(BETWEEN_MS);
      }
    },
    of: (lane) => received.get(lane) ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The way in which deliveries broke the promise: an event or alert that is missing, arrived before its predecessor, or
 * arrived again after a later one. Null when each one up to `last` came in order.
 */
export function wrongDelivery(numbers: readonly number[], last: number): string | null {
  let before = 0;
  for (const number of numbers) {
    if (number !== before && number !== before + 1) return `${number} came after ${before}`;
    before = number;
  }
  return before === last ? null : `${before} was the last of ${last}`;
}

function deliveredIn(body: string): { readonly lane: string; readonly number: number } {
  const parsed: unknown = JSON.parse(body);
  const { sequence, accountId, number, ownerId } = Object(isRecord(parsed) ? parsed.data : {});
  if (typeof sequence === "number") return { lane: String(accountId), number: sequence };
  return { lane: String(ownerId), number: Number(number) };
}
