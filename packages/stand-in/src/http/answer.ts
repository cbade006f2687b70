import type { IncomingMessage, ServerResponse } from "node:http";
import { wait } from "../clock.ts";
import { compress, type Fault, spoilText } from "./faults.ts";

/** A status and a JSON value. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function errorAnswer(status: number, error: string): Answer {
  return { status, body: { error } };
}

/** A body of at most this many characters is read. */
const BODY_MAX = 1_000_000;

/** Reads the body of a request as a JSON object; null when it is none. */
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

/** Sends an answer with the faults that concern its bytes. */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  faults: readonly Fault[],
): Promise<void> {
  const socket = response.socket;
  for (const fault of faults) {
    if (fault.kind === "slow" && fault.afterMs !== undefined) await wait(fault.afterMs);
    if (fault.kind === "cut") {
      socket?.destroy();
      return;
    }
  }
  const text = faults.reduce(spoilText, JSON.stringify(answer.body));
  const special = faults.find(({ kind }) => SPECIAL.includes(kind));
  switch (special?.kind) {
    case "answer":
      return send(response, special.status, special.body);
    case "redirect":
      response.writeHead(307, { location: special.location, "content-length": 0 });
      response.end();
      return;
    case "halfBody":
      return sendHalf(response, answer.status, text);
    case "endlessBody":
      return sendEndless(response, text);
    case "compressed":
      return sendCompressed(response, answer.status, compress(text, special.bytes));
    case "cutAfterAnswer":
      send(response, answer.status, text);
      response.on("finish", () => socket?.destroy());
      return;
    default:
      return send(response, answer.status, text);
  }
}

const SPECIAL: readonly Fault["kind"][] = [
  "answer",
  "redirect",
  "halfBody",
  "endlessBody",
  "compressed",
  "cutAfterAnswer",
];

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
    if (!response.write(block)) await drained(response);
    else await wait(0);
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}
