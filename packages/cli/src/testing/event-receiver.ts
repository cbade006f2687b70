import { Webhook } from "standardwebhooks";
import {
  type RawRequest,
  rawAnswer,
  startRawServer,
} from "../../../server/src/testing/raw-server.ts";

/** One delivery as its receiver reads it. */
export interface ReceivedCall {
  readonly id: string;
  readonly subscriptionId: string;
  /** All signatures of the header. */
  readonly signatures: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** A receiver of a subscription of MCP Events. */
export interface EventReceiver {
  readonly url: string;
  /** The events, in the order in which they came. */
  events(): readonly ReceivedCall[];
  /** The messages that are no events, by their type. */
  messages(type: string): readonly ReceivedCall[];
  /** Verifies each request with the library of Standard Webhooks. */
  verify(secret: string): void;
}

/** The answer to one request: a status, or bytes; nothing for null. */
export type Answering = (call: ReceivedCall, count: number) => string | Buffer | null;

/** A receiver that agrees to every subscription, unless `answer` says another thing for a request. */
export async function startEventReceiver(
  answer: Answering = () => "200 OK",
): Promise<EventReceiver> {
  const server = await startRawServer((socket, request) => {
    const call = callOf(request);
    const given = answer(call, server.requests.length);
    if (given === null) return;
    const { challenge } = call.body;
    const body = challenge === undefined ? "" : JSON.stringify({ challenge });
    socket.write(typeof given === "string" ? rawAnswer(body, { status: given }) : given);
  });
  const calls = (): readonly ReceivedCall[] => server.requests.map(callOf);
  return {
    url: `${server.url}/hook`,
    events: () => calls().filter(({ body }) => body.type === undefined),
    messages: (type) => calls().filter(({ body }) => body.type === type),
    verify(secret) {
      for (const { text } of server.requests) {
        const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
        const headers = Object.fromEntries(names.map((name) => [name, headerOf(text, name)]));
        new Webhook(secret).verify(bodyOf(text), headers);
      }
    },
  };
}

function callOf({ text }: RawRequest): ReceivedCall {
  return {
    id: headerOf(text, "webhook-id"),
    subscriptionId: headerOf(text, "x-mcp-subscription-id"),
    signatures: headerOf(text, "webhook-signature").split(" "),
    body: JSON.parse(bodyOf(text)) as Record<string, unknown>,
  };
}

function headerOf(text: string, name: string): string {
  return (new RegExp(`^${name}: (.*)$`, "im").exec(text)?.[1] ?? "").trim();
}

function bodyOf(text: string): string {
  return text.slice(text.indexOf("\r\n\r\n") + 4);
}
