import { createServer, type IncomingHttpHeaders } from "node:http";
import { isRecord } from "@propgate/contract";
import { listenerPort } from "../../../base/src/listener-port.ts";

export interface ReceivedWebhook {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly type: string;
  /** Null for a test. */
  readonly accountId: string | null;
  readonly sequence: number | null;
  readonly previous: number | null;
}

/** The receiver's answer to a webhook: a status, or `cut` for a connection that ends without an answer. */
export type ReceiverAnswer = number | "cut";

/** A receiver of webhooks that keeps all deliveries, in order. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** Changes its answer. */
  answer(next: (webhook: ReceivedWebhook) => ReceiverAnswer): void;
  forget(): void;
  close(): Promise<void>;
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let answerTo: (webhook: ReceivedWebhook) => ReceiverAnswer = () => 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const webhook = receivedOf(request.headers, Buffer.concat(chunks).toString("utf8"));
      received.push(webhook);
      const answer = answerTo(webhook);
      if (answer === "cut") request.socket.destroy();
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
    previous: typeof event.previous === "number" ? event.previous : null,
  };
}
