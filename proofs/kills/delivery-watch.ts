import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { isRecord } from "@propgate/contract";
import { listenerPort } from "../../packages/base/src/listener-port.ts";
import type { Victim } from "./victim.ts";

/** The deliveries that reached a receiver of webhooks, by account in the order in which they came. */
export interface DeliveryWatch {
  /** Makes the webhook that is watched, for every account from its first event on. */
  begin(): Promise<void>;
  /** Resolves when the service has nothing more to deliver. */
  idle(): Promise<void>;
  /** The numbers of the events of an account. */
  of(accountId: string): readonly number[];
  /** How many came, repetitions included. */
  readonly count: number;
  close(): Promise<void>;
}

const BETWEEN_MS = 100;

export async function watchDeliveries(victim: Victim, token: string): Promise<DeliveryWatch> {
  const received = new Map<string, number[]>();
  let count = 0;
  let webhookId = "";
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { accountId, sequence } = deliveredIn(Buffer.concat(chunks).toString("utf8"));
      const own = received.get(accountId) ?? [];
      own.push(sequence);
      received.set(accountId, own);
      count += 1;
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
      ({ id: webhookId } = idOf(await call("POST", "/webhooks", { url, from: "start" })));
    },
    async idle() {
      for (;;) {
        const { items } = await call("GET", `/webhooks/${webhookId}/lanes?behindMin=1`);
        if (Array.isArray(items) && items.length === 0) return;
        await setTimeout(BETWEEN_MS);
      }
    },
    of: (accountId) => received.get(accountId) ?? [],
    get count() {
      return count;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The way in which deliveries broke the promise: an event that is missing, arrived before its predecessor, or arrived
 * again after a later one. Null when every event up to `version` came in order.
 */
export function wrongDelivery(sequences: readonly number[], version: number): string | null {
  let last = 0;
  for (const sequence of sequences) {
    if (sequence !== last && sequence !== last + 1) return `${sequence} came after ${last}`;
    last = sequence;
  }
  return last === version ? null : `${last} was the last of ${version}`;
}

function deliveredIn(body: string): { readonly accountId: string; readonly sequence: number } {
  const parsed: unknown = JSON.parse(body);
  const event = isRecord(parsed) && isRecord(parsed.data) ? parsed.data : {};
  return { accountId: String(event.accountId), sequence: Number(event.sequence) };
}

function idOf({ id }: Readonly<Record<string, unknown>>): { readonly id: string } {
  return { id: String(id) };
}
