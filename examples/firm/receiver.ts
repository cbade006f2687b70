/**
 * The firm's receiver of webhooks. It checks the signature of each delivery, and that each account's events arrive in
 * order.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/** The maximum age of a delivery in seconds. An older one could be a recorded delivery that is sent again. */
const OLDEST_S = 300;

interface Delivered {
  readonly type: string;
  readonly accountId: string;
  readonly sequence: number;
  /** The number of the event before this one in the order of this webhook; null for the first. */
  readonly previous: number | null;
}

export interface Receiver {
  readonly url: string;
  /** Sets the secret with which deliveries are signed. */
  readonly useSecret: (secret: string) => void;
  /** The events of each account as `type sequence`, in the order in which they came. */
  readonly received: ReadonlyMap<string, readonly string[]>;
  /**
   * The number of deliveries that were not genuine or out of order. The receiver answers with an error, so the service
   * delivers them again.
   */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received = new Map<string, string[]>();
  const last = new Map<string, number>();
  let secret = "";
  let refused = 0;

  const statusOf = ({ headers }: IncomingMessage, body: string): number => {
    if (!isGenuine(headers, body, secret)) return 401;
    const { type, accountId, sequence, previous }: Delivered = JSON.parse(body).data;
    const known = last.get(accountId) ?? null;
    // The service delivers an event again when the answer to an earlier attempt was lost.
    if (known !== null && sequence <= known) return 200;
    if (known !== null && previous !== known) return 409;
    last.set(accountId, sequence);
    received.set(accountId, [...(received.get(accountId) ?? []), `${type} ${sequence}`]);
    return 200;
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const status = statusOf(request, body);
      if (status !== 200) refused += 1;
      response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return {
    url: `http://127.0.0.1:${address.port}/events`,
    useSecret: (given) => {
      secret = given;
    },
    received,
    refused: () => refused,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function isGenuine(headers: IncomingMessage["headers"], body: string, secret: string): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": given } = headers;
  // The timestamp is of the machine's clock, even when the sandbox's own clock is held.
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > OLDEST_S) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const own = createHmac("sha256", key)
    .update(`${String(id)}.${String(timestamp)}.${body}`)
    .digest();
  return String(given)
    .split(" ")
    .map((one) => Buffer.from(one.replace(/^v1,/, ""), "base64"))
    .some((one) => one.length === own.length && timingSafeEqual(one, own));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString("utf8");
}
