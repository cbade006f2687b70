import type { IncomingMessage, ServerResponse } from "node:http";
import { wait } from "../clock.ts";
import { type Fault, gzipBody, isSendFault, type SendFault, spoilText } from "./faults.ts";

/** An answer to send: its status, and the value of its JSON body. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** An answer with this status and error text. */
export function errorAnswer(status: number, error: string): HttpAnswer {
  return { status, body: { error } };
}

/** The maximum number of characters of a body that is read. */
const BODY_MAX = 1_000_000;

/** Reads the body of a request as a JSON object; null when it is not one, and when it is longer than `BODY_MAX`. */
export async function readBody(
  request: IncomingMessage,
): Promise<Readonly<Record<string, unknown>> | null> {
  let text = "";
  request.setEncoding("utf8");
  for await (const part of request) {
    text += String(part);
    if (text.length > BODY_MAX) return null;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sends an answer, with the faults that concern its time, bytes or connection. */
export async function sendAnswer(
  response: ServerResponse,
  answer: HttpAnswer,
  faults: readonly Fault[],
): Promise<void> {
  for (const fault of faults) {
    if (fault.kind === "slow" && fault.afterMs !== undefined) await wait(fault.afterMs);
  }
  if (faults.some(({ kind }) => kind === "cut")) {
    response.socket?.destroy();
    return;
  }
  const text = faults.reduce(spoilText, JSON.stringify(answer.body));
  const first = faults.find(isSendFault);
  if (first === undefined) send(response, answer.status, text);
  else await sendFaulty(response, { status: answer.status, text }, first);
}

async function sendFaulty(
  response: ServerResponse,
  { status, text }: { readonly status: number; readonly text: string },
  fault: SendFault,
): Promise<void> {
  switch (fault.kind) {
    case "answer":
      return send(response, fault.status, fault.body);
    case "redirect":
      response.writeHead(307, { location: fault.location, "content-length": 0 });
      response.end();
      return;
    case "halfBody":
      return sendHalf(response, status, text);
    case "endlessBody":
      return sendEndless(response, text);
    case "compressed":
      return sendCompressed(response, status, gzipBody(text, fault.bytes));
    case "cutAfterAnswer": {
      const { socket } = response;
      response.on("finish", () => socket?.destroy());
      return send(response, status, text);
    }
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

function sendHalf(response: ServerResponse, status: number, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": bytes.length,
  });
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.socket?.destroy());
}

function sendCompressed(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-encoding": "gzip",
    "content-length": body.length,
  });
  response.end(body);
}

/** Sends spaces after the opening brace until the client closes the connection. */
async function sendEndless(response: ServerResponse, text: string): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  response.write(text.slice(0, 1));
  const block = Buffer.alloc(65_536, " ");
  while (!response.destroyed && response.writable) {
    if (!response.write(block)) await waitUntilDrained(response);
    else await wait(0);
  }
}

/** Resolves when the client can take more data, or has closed the connection. */
function waitUntilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
