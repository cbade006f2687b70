import { type IncomingMessage, request as openRequest } from "node:http";
import { request as openSecureRequest } from "node:https";
import { CannotStart, type TraceParent } from "@propgate/base";
import type { Literal } from "../python-literal.ts";
import { readBody, toUpstreamResult, type UpstreamAnswer } from "./answer.ts";
import { createTextCleaner } from "./clean-text.ts";
import { type ConnectionLimits, type ConnectionSource, createConnections } from "./connections.ts";
import { failureOf, isClosed } from "./network-error.ts";
import type { UpstreamFailure, UpstreamResult } from "./port.ts";

/** A request to an upstream. */
export interface HttpCall {
  /** A POST is sent once, over a connection of its own. A GET may be repeated when a kept connection was closed. */
  readonly method: "GET" | "POST";
  /** The path with its query; it begins with a slash. */
  readonly path: string;
  /** The JSON of the body; null for none. */
  readonly body: string | null;
  readonly answerBytesMax: number;
  /** True when an answer of 2xx whose `success` is false is a refusal. */
  readonly mustSucceed: boolean;
  /** The header `traceparent`; no header when absent. */
  readonly trace?: TraceParent | undefined;
}

/** Sends requests to one upstream, with bounds on their time and on the size of the answers. */
export interface BoundedHttp {
  /**
   * Sends one request; the signal aborts it. Until its first byte is written, a failed request counts as not sent;
   * after that its fate is unknown. Redirects are not followed, compressed answers are not read, and failures are
   * values.
   */
  send(call: HttpCall, signal: AbortSignal): Promise<UpstreamResult<Literal>>;
  /** Closes all connections, which ends the requests under way. */
  close(): void;
}

export interface BoundedHttpOptions extends ConnectionLimits {
  /** The bearer token: 1 to 512 printable characters without spaces. */
  readonly key: string;
}

/** The outcome of one request. `wasStale`: a kept connection was closed before it carried any byte of an answer. */
type Exchange =
  | { readonly answer: UpstreamAnswer }
  | { readonly answer: null; readonly wasStale: boolean; readonly failure: UpstreamFailure };

/** @throws CannotStart when the key has characters that no header can carry */
export function createBoundedHttp(options: BoundedHttpOptions): BoundedHttp {
  const { base, key } = options;
  if (!/^[\x21-\x7e]{1,512}$/.test(key)) {
    throw new CannotStart("the network's key must be 1 to 512 printable characters, no spaces");
  }
  const connections = createConnections(options);
  const cleaner = createTextCleaner({ key, hosts: [base.host, base.hostname] });
  return {
    async send(call, signal) {
      const attempt = (connecting: ConnectionSource): Promise<Exchange> =>
        exchange({ call, connecting, signal }, options);
      let done = await attempt(
        call.method === "GET" ? connections.keptConnection() : connections.newConnection(),
      );
      if (done.answer === null && done.wasStale && call.method === "GET" && !signal.aborted) {
        done = await attempt(connections.newConnection());
      }
      return done.answer === null
        ? { ok: false, failure: done.failure }
        : toUpstreamResult(done.answer, cleaner, call);
    },
    close: () => connections.close(),
  };
}

interface Attempt {
  readonly call: HttpCall;
  readonly connecting: ConnectionSource;
  readonly signal: AbortSignal;
}

function exchange(attempt: Attempt, options: BoundedHttpOptions): Promise<Exchange> {
  const { call, connecting, signal } = attempt;
  if (signal.aborted) return Promise.resolve(unreachable("no time was left", false));
  return new Promise((resolve) => {
    const request = requestFor(attempt, options);
    let wasSent = false;
    let isUsed = false;
    let isAnswered = false;
    const end = (done: Exchange): void => {
      signal.removeEventListener("abort", onAbort);
      resolve(done);
    };
    const abandon = (why: string): void => {
      end(unreachable(why, wasSent));
      connecting.abandon(request);
    };
    const onAbort = (): void => abandon(wasSent ? "no answer in time" : "no connection in time");
    signal.addEventListener("abort", onAbort);
    connecting.whenReady(request, {
      // The socket gets no byte before this call, so while `wasSent` is false no byte can have left.
      ready(wasUsed) {
        wasSent = true;
        isUsed = wasUsed;
        request.end(call.body ?? undefined);
      },
      late: () => abandon("no connection in time"),
    });
    request.on("error", (cause) => {
      const wasStale = isUsed && !isAnswered && isClosed(cause);
      end({ answer: null, wasStale, failure: failureOf(cause, wasSent) });
    });
    // When an answer switches protocols (101), Node closes the connection without an event for the response or an
    // error.
    request.on("close", () => {
      if (!isAnswered) end(unreachable("connection closed without an answer", wasSent));
    });
    request.on("response", (response) => {
      isAnswered = true;
      void answerOf(response, call.answerBytesMax).then((answer) => {
        if (answer === null) abandon("the connection was cut in the answer");
        else end({ answer });
      });
    });
  });
}

function unreachable(why: string, wasSent: boolean): Exchange {
  return { answer: null, wasStale: false, failure: { kind: "unreachable", wasSent, why } };
}

async function answerOf(
  response: IncomingMessage,
  bytesMax: number,
): Promise<UpstreamAnswer | null> {
  const body = await readBody(response, bytesMax);
  return body === null ? null : { status: response.statusCode ?? 0, body };
}

/** Opens a request without writing it. */
function requestFor({ call, connecting }: Attempt, { base, key }: BoundedHttpOptions) {
  const content = call.body === null ? {} : contentHeaders(call.body);
  return (base.isSecure ? openSecureRequest : openRequest)({
    ...connecting.options,
    host: base.hostname,
    port: base.port,
    method: call.method,
    path: call.path,
    headers: {
      Host: base.host,
      Accept: "application/json",
      "Accept-Encoding": "identity",
      Authorization: `Bearer ${key}`,
      ...content,
      ...(call.trace === undefined ? {} : { traceparent: call.trace }),
    },
  });
}

function contentHeaders(body: string) {
  return { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
}
