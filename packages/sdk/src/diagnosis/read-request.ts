import type { Seen, Sent } from "./sent.ts";

/** The result for a text that does not begin with a request line. */
export interface NoRequest {
  readonly firstLine: string;
}

/**
 * Reads a request in the form in which it goes over the wire: request line, headers, empty line, body. The lines may
 * end in LF or CRLF, and may begin with `> ` as `curl -v` prints them.
 */
export function readRequest(bytes: Uint8Array): Sent | NoRequest {
  const { head, body } = split(bytes);
  const [first = "", ...rest] = head;
  const line = /^([A-Za-z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(first);
  if (line === null) return { firstLine: first };
  const headers = readHeaders(rest);
  const credential = (name: string): string | null => bySuffix(headers, name);
  return {
    method: line[1] ?? "",
    target: line[2] ?? "",
    timestamp: credential("-timestamp") ?? "",
    nonce: credential("-nonce") ?? "",
    signature: credential("-signature") ?? "",
    keyId: credential("-key-id"),
    host: headers.get("host") ?? null,
    body,
  };
}

/** Reads the server's view of a request from the headers of its answer, as `curl -i` prints them. */
export function readSeen(text: string): Seen {
  const headers = readHeaders(text.split(/\r?\n/).map(withoutCurlMark));
  const time = bySuffix(headers, "-server-time-ms") ?? "";
  return {
    target: bySuffix(headers, "-seen-target"),
    bodySha256: bySuffix(headers, "-seen-body-sha256"),
    timeMs: /^\d+$/.test(time) ? Number(time) : null,
  };
}

/** The server's view of a request when no answer is known. */
export const NOTHING_SEEN: Seen = { target: null, bodySha256: null, timeMs: null };

function split(bytes: Uint8Array): { readonly head: readonly string[]; readonly body: Uint8Array } {
  // In Latin-1 each byte is one character, so that positions in the text are positions in the bytes.
  const text = new TextDecoder("latin1").decode(bytes);
  const end = /\r?\n(?:> ?)?\r?\n/.exec(text);
  const head = end === null ? text : text.slice(0, end.index);
  const bodyAt = end === null ? bytes.length : end.index + end[0].length;
  return {
    head: head
      .split(/\r?\n/)
      .map(withoutCurlMark)
      .filter((line) => line !== ""),
    body: bytes.subarray(bodyAt),
  };
}

function withoutCurlMark(line: string): string {
  return line.replace(/^[<>] /, "");
}

function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(":");
    if (at > 0) headers.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
  return headers;
}

/** The value of the first header `X-<Brand>-…` that ends with this suffix, for any brand word; null without one. */
function bySuffix(headers: ReadonlyMap<string, string>, suffix: string): string | null {
  for (const [name, value] of headers) {
    if (name.startsWith("x-") && name.endsWith(suffix)) return value;
  }
  return null;
}
