import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import { eventually } from "../../../../test/eventually.ts";
import type { TradingKey } from "./account-sandbox.ts";
import { connectAgent, type McpAgent } from "./mcp-agent.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The error of a failed request of MCP Events. */
export interface RequestFailure {
  readonly code: number;
  readonly message: string;
  readonly data: Fields;
}

/** The stream of MCP Events that a request `events/stream` has opened. */
export interface OpenEventStream {
  /** The parameters of the stream's notifications of this kind, such as `event`. */
  notices(kind: string): readonly Fields[];
  /** Resolves with the stream's result, or rejects with the client's error. */
  readonly ended: Promise<Fields>;
  cancel(): void;
}

/** An agent's client that uses MCP Events. */
export interface EventAgent extends McpAgent {
  request(method: string, params?: Fields): Promise<Fields>;
  /** The error of a request. Fails when the request succeeds. */
  failure(method: string, params?: Fields): Promise<RequestFailure>;
  /** Opens a stream, and waits until the server has confirmed it. */
  stream(params: Fields): Promise<OpenEventStream>;
}

const ANY: StandardSchemaV1<unknown, Fields> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => ({ value: value as Fields }),
  },
};
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
/** A time limit that is longer than any test. */
const PATIENT_MS = 600_000;

export async function connectEventAgent(
  key: TradingKey,
  env: Readonly<Record<string, string>> = {},
  mode: "auto" | "legacy" = "auto",
): Promise<EventAgent> {
  const agent = await connectAgent(key, [], mode, env);
  const received: { readonly method: string; readonly params: Fields; readonly id: unknown }[] = [];
  agent.client.fallbackNotificationHandler = async ({ method, params }) => {
    const { _meta, ...rest } = params ?? {};
    received.push({ method, params: rest, id: (_meta as Fields | undefined)?.[SUBSCRIPTION] });
  };
  const ask = (method: string, params: Fields, signal?: AbortSignal): Promise<Fields> =>
    agent.client.request({ method, params: { ...params } }, ANY, {
      timeout: PATIENT_MS,
      ...(signal === undefined ? {} : { signal }),
    });
  return {
    ...agent,
    request: (method, params = {}) => ask(method, params),
    async failure(method, params = {}) {
      const answer = await ask(method, params).then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      );
      if ("result" in answer) throw new Error(`no failure: ${JSON.stringify(answer.result)}`);
      const { code, message, data } = answer.error as RequestFailure;
      return { code, message, data };
    },
    async stream(params) {
      const before = new Set(received.map(({ id }) => id));
      const stop = new AbortController();
      const ended = ask("events/stream", params, stop.signal);
      ended.catch(() => {});
      const active = await Promise.race([
        ended.then(() => {
          throw new Error("the stream ended before it began");
        }),
        eventually(() => {
          const found = received.find(
            ({ method, id }) => method === "notifications/events/active" && !before.has(id),
          );
          if (found === undefined) throw new Error("the stream has not begun");
          return found;
        }),
      ]);
      return {
        ended,
        cancel: () => stop.abort(),
        notices: (kind) =>
          received
            .filter((one) => one.method === `notifications/events/${kind}`)
            .filter(({ id }) => id === active.id)
            .map((one) => one.params),
      };
    },
  };
}
