import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { LIMITS } from "@propgate/contract";
import { eventually } from "../../../../test/eventually.ts";
import type { CallOptions, Harness } from "./harness.ts";
import { signedHeaders } from "./signed-request.ts";

/** A frame of a stream as it was sent. */
export interface ReadFrame {
  readonly event: string;
  /** Null for a frame at which a client cannot continue. */
  readonly id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An open stream that a test reads frame by frame. */
export interface OpenStream {
  readonly response: IncomingMessage;
  /** The next frame; null at the end of the answer. */
  readonly next: () => Promise<ReadFrame | null>;
  /** The frames up to the first one with this name. */
  readonly until: (event: string) => Promise<readonly ReadFrame[]>;
  /** Closes the connection. */
  readonly leave: () => void;
}

let nonces = 0;

/** Opens GET events/stream on a connection of its own. */
export async function openStream(
  service: Pick<Harness, "port" | "signer" | "time">,
  query = "",
  { signer = service.signer }: Pick<CallOptions, "signer"> = {},
): Promise<OpenStream> {
  const target = `/api/v1/trading/events/stream${query}`;
  nonces += 1;
  const headers =
    signer === null
      ? {}
      : signedHeaders(signer, {
          method: "GET",
          target,
          body: "",
          timestamp: String(service.time.clock.now()),
          nonce: `stream-${nonces}`,
        });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent: ClientRequest = request(
      { port: service.port, host: "127.0.0.1", path: target, headers, agent: false },
      resolve,
    );
    sent.on("error", reject);
    sent.end();
  });
  return { response, ...frameReader(response), leave: () => void response.destroy() };
}

/**
 * Opens a stream as soon as the limit of open streams allows one more. Every attempt is a read, so the service's time
 * passes with it. Otherwise the key would have no read left when a stream could be opened.
 */
export function openStreamWhenFree(
  service: Pick<Harness, "port" | "signer" | "time">,
): Promise<OpenStream> {
  return eventually(async () => {
    await service.time.pass(LIMITS.readWindowMs / LIMITS.readBudgetPerWindow);
    const stream = await openStream(service);
    if (stream.response.statusCode === 200) return stream;
    stream.leave();
    throw new Error(`a stream was answered with ${stream.response.statusCode}`);
  });
}

function frameReader(response: IncomingMessage): Pick<OpenStream, "next" | "until"> {
  const pieces = response.setEncoding("utf8")[Symbol.asyncIterator]();
  let text = "";
  const next = async (): Promise<ReadFrame | null> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return parsed(block);
      }
      const { done, value } = await pieces.next();
      if (done === true) return null;
      text += value;
    }
  };
  return {
    next,
    async until(event) {
      const frames: ReadFrame[] = [];
      for (;;) {
        const frame = await next();
        if (frame === null) throw new Error(`the stream ended before a frame ${event}`);
        frames.push(frame);
        if (frame.event === event) return frames;
      }
    },
  };
}

function parsed(block: string): ReadFrame {
  const line = (name: string): string | null =>
    new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? null;
  return { event: line("event") ?? "", id: line("id"), data: JSON.parse(line("data") ?? "") };
}
