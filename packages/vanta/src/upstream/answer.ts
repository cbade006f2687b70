import type { IncomingMessage } from "node:http";
import { isRecord, type Literal, readLiteral } from "../python-literal.ts";
import type { TextCleaner } from "./clean-text.ts";
import type { UpstreamResult } from "./port.ts";

/** A complete answer. `body` has a problem when its bytes were not read. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly body: { readonly bytes: Buffer } | { readonly problem: string };
}

/**
 * Reads at most `bytesMax` bytes; a longer or compressed body is a problem. Null when the connection ends before the
 * whole body has arrived.
 */
export async function readBody(
  response: IncomingMessage,
  bytesMax: number,
): Promise<UpstreamAnswer["body"] | null> {
  const problem = problemBefore(response, bytesMax);
  if (problem !== null) {
    response.destroy();
    return { problem };
  }
  const chunks: Buffer[] = [];
  let count = 0;
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError("a chunk of an answer must be bytes");
      count += chunk.length;
      // Leaving the `for await` loop destroys the response and its connection.
      if (count > bytesMax) return { problem: tooLong(bytesMax) };
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return { bytes: Buffer.concat(chunks, count) };
}

function problemBefore({ headers }: IncomingMessage, bytesMax: number): string | null {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") return "the answer is compressed";
  return Number(headers["content-length"] ?? 0) > bytesMax ? tooLong(bytesMax) : null;
}

function tooLong(bytesMax: number): string {
  return `the answer has more than ${bytesMax} bytes`;
}

/**
 * Converts an answer to the result of its call. A 2xx is a value, unless it cannot be read, or its `success` is false
 * although the call requires success. Every other status is a refusal.
 */
export function toUpstreamResult(
  { status, body }: UpstreamAnswer,
  cleaner: TextCleaner,
  { mustSucceed }: { readonly mustSucceed: boolean },
): UpstreamResult<Literal> {
  const parsed = "problem" in body ? body : parse(body);
  const isGood = status >= 200 && status < 300;
  if (isGood && "problem" in parsed) {
    return {
      ok: false,
      failure: { kind: "unreadable", why: cleaner.cleanOwnText(parsed.problem) },
    };
  }
  const value = "value" in parsed && !isRedirect(status) ? parsed.value : null;
  if (isGood && !(mustSucceed && isUnsuccessful(value))) return { ok: true, value };
  const error = isRedirect(status) ? "the answer is a redirect" : errorText(value);
  return {
    ok: false,
    failure: {
      kind: "refused",
      status,
      error: error === null ? `status ${status}` : cleaner.cleanUpstreamText(error),
      body: value,
    },
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Whether the body reports that the request did not succeed. */
export function isUnsuccessful(body: Literal): boolean {
  return isRecord(body) && body.success === false;
}

type Parsed = { readonly value: Literal } | { readonly problem: string };

function parse({ bytes }: { readonly bytes: Buffer }): Parsed {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { problem: "the answer is not valid UTF-8" };
  }
  // A character needs at least one byte, so the limit of bytes also limits the characters.
  const read = readLiteral(text, { dialect: "json", charactersMax: text.length });
  return read.ok ? read : { problem: `the answer is not valid JSON: ${read.problem}` };
}

/** The keys under which upstreams explain a refusal, in order of preference. */
const ERROR_KEYS = ["error", "error_message", "message", "detail"] as const;

/** The refusal's own text; null when the body has none. */
function errorText(body: Literal): string | null {
  if (!isRecord(body)) return null;
  for (const key of ERROR_KEYS) {
    const text = body[key];
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return null;
}
