import { Webhook } from "standardwebhooks";
import {
  type RawRequest,
  rawAnswer,
  startRawServer,
} from "../../../server/src/testing/raw-server.ts";

/** One request to a receiver, as it was read. */
export interface ReceivedCall {
  readonly id: string;
  readonly subscriptionId: string;
  /** All signatures in the request's header `webhook-signature`. */
  readonly signatures: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** A receiver for the subscriptions of MCP Events. */
export interface EventReceiver {
  readonly url: string;
  /** The events, in the order in which they arrived. */
  events(): readonly ReceivedCall[];
  /** The messages of this type, which are not events. */
  messages(type: string): readonly ReceivedCall[];
  /** Verifies each request with the library of the Standard Webhooks. */
  verify(secret: string): void;
}

/** Chooses the answer to a request: a status, or raw bytes. With null the receiver does not answer. */
export type AnswerChoice = (call: ReceivedCall, count: number) => string | Buffer | null;

/** A receiver that agrees to every subscription, except where `answer` chooses another answer. */
export async function startEventReceiver(
  answer: AnswerChoice = () => "200 OK",
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
