import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { isRecord } from "@propgate/contract";
import { listenerPort } from "../../packages/base/src/listener-port.ts";
import type { Victim } from "./victim.ts";

/**
 * The deliveries to a receiver of two webhooks, one for events and one for alerts. They are kept by account or owner,
 * in the order in which they came.
 */
export interface DeliveryWatch {
  /** Creates both webhooks. They get all events, and the alerts of the types in `ALERTS`, from the first one on. */
  begin(): Promise<void>;
  /** Resolves when the service has delivered everything. */
  idle(): Promise<void>;
  /** The numbers of the delivered events of an account, or of the delivered alerts of an owner. */
  of(lane: string): readonly number[];
  close(): Promise<void>;
}

const BETWEEN_MS = 100;
/** The types of the alerts that owners can get in this proof. */
const ALERTS = ["key.created", "key.revoked", "key.paused"] as const;

/** Starts a receiver of webhooks for the service. `token` is an operator token. */
export async function startDeliveryWatch(victim: Victim, token: string): Promise<DeliveryWatch> {
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
        // An alert that has no number yet has no lane either.
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
 * A sentence about how deliveries broke the promise: one is missing, came before its predecessor, or came again after a
 * later one. Null when each number up to `last` came in order; the newest one may come again.
 */
export function deliveryProblem(numbers: readonly number[], last: number): string | null {
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
