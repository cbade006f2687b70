import { NOTHING_SEEN, readRequest, readSeen, type Seen, type Sent } from "@propgate/sdk";
import type { RequestFields } from "./request-fields.tsx";

/** The parts that were read from a pasted text. */
export interface Transcript {
  /** The request; null when the text contains none. */
  readonly sent: Sent | null;
  readonly seen: Seen;
  /** The HTTP status of the answer; null when the text contains no answer. */
  readonly status: number | null;
}

const REQUEST_LINE = /^(?:> )?[A-Z]+ \/\S*(?: HTTP\/[\d.]+)?$/;
const STATUS_LINE = /^(?:< )?HTTP\/[\d.]+ (\d{3})/;

/**
 * Reads the output of `curl -v`, a raw request, a raw answer, or a request followed by its answer. curl does not print
 * the body of a request, so the body is then empty.
 */
export function readTranscript(text: string): Transcript {
  const lines = text.split(/\r?\n/);
  const answerAt = lines.findIndex((line) => STATUS_LINE.test(line));
  const status = STATUS_LINE.exec(lines[answerAt] ?? "")?.[1];
  return {
    sent: requestOf(lines, answerAt),
    seen: answerAt < 0 ? seenIn(text) : readSeen(lines.slice(answerAt).join("\n")),
    status: status === undefined ? null : Number(status),
  };
}

/** The service's view of the request, from the headers of an answer that was pasted without its first line. */
function seenIn(text: string): Seen {
  return /-(seen-target|seen-body-sha256|server-time-ms):/i.test(text)
    ? readSeen(text)
    : NOTHING_SEEN;
}

function requestOf(lines: readonly string[], answerAt: number): Sent | null {
  const from = lines.findIndex((line) => REQUEST_LINE.test(line));
  if (from < 0) return null;
  const isCurls = lines[from]?.startsWith("> ") === true;
  const to = answerAt > from ? answerAt : lines.length;
  const own = lines.slice(from, to).filter((line) => !isCurls || line.startsWith(">"));
  // curl prints a single `>` after the headers of a request.
  const raw = isCurls ? own.filter((line) => line.trim() !== ">").join("\n") : own.join("\n");
  const read = readRequest(new TextEncoder().encode(raw));
  return "firstLine" in read ? null : read;
}

/**
 * The fields that the pasted text contains. The other fields keep their values, such as the body of a POST that curl
 * did not print. For a GET without a body, the body becomes empty.
 */
export function fieldsOf({ sent, seen }: Transcript): Partial<RequestFields> {
  if (sent === null) return { seen };
  const { target, timestamp, nonce, signature } = sent;
  const method = sent.method.toUpperCase() === "POST" ? "POST" : "GET";
  const body = new TextDecoder().decode(sent.body);
  return {
    seen,
    method,
    target,
    timestamp,
    nonce,
    signature,
    keyId: sent.keyId ?? "",
    host: sent.host ?? "",
    ...(body === "" && method === "POST" ? {} : { body }),
  };
}
