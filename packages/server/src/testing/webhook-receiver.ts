import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { isRecord } from "@propgate/contract";
import { listenerPort } from "../../../base/src/listener-port.ts";

export interface ReceivedWebhook {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly type: string;
  /** Null when the webhook names no account, as a test webhook does. */
  readonly accountId: string | null;
  readonly sequence: number | null;
  /** The number of an alert; null for an event. */
  readonly number: number | null;
  readonly previous: number | null;
}

/** The receiver's answer to a webhook: a status, `cut` for a connection that ends, `held` for a later answer. */
export type ReceiverAnswer = number | "cut" | "held";

/** A receiver of webhooks that keeps all deliveries, in order. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** Sets how the receiver answers each later webhook. */
  answer(next: (webhook: ReceivedWebhook) => ReceiverAnswer): void;
  /** Answers all held webhooks with this status. */
  release(status: number): void;
  forget(): void;
  close(): Promise<void>;
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const held: ServerResponse[] = [];
  let answerTo: (webhook: ReceivedWebhook) => ReceiverAnswer = () => 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const webhook = receivedOf(request.headers, Buffer.concat(chunks).toString("utf8"));
      received.push(webhook);
      const answer = answerTo(webhook);
      if (answer === "cut") request.socket.destroy();
      else if (answer === "held") held.push(response);
      else response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${listenerPort(server.address())}/hook`,
    received,
    answer(next) {
      answerTo = next;
    },
    release(status) {
      for (const response of held.splice(0)) response.writeHead(status).end();
    },
    forget() {
      received.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function receivedOf(headers: IncomingHttpHeaders, body: string): ReceivedWebhook {
  const parsed: unknown = JSON.parse(body);
  const { type, data } = isRecord(parsed) ? parsed : {};
  const event = isRecord(data) ? data : {};
  return {
    id: String(headers["webhook-id"]),
    headers,
    body,
    type: String(type),
    accountId: typeof event.accountId === "string" ? event.accountId : null,
    sequence: typeof event.sequence === "number" ? event.sequence : null,
    number: typeof event.number === "number" ? event.number : null,
    previous: typeof event.previous === "number" ? event.previous : null,
  };
}
