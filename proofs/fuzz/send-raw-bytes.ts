import { connect } from "node:net";

/** An answer read from the socket. */
export interface RawAnswer {
  readonly status: number;
  /** The headers by lower-case name; the last value when a name is repeated. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const HEAD_END = "\r\n\r\n";

/**
 * Sends bytes, one latin-1 character each, and resolves with the answers when the connection is closed. @throws when
 * the service has not closed the connection within `patienceMs`.
 */
export function sendRawBytes(
  bytes: string,
  { port, patienceMs }: { readonly port: number; readonly patienceMs: number },
): Promise<readonly RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.end(Buffer.from(bytes, "latin1")));
    const hangs = setTimeout(() => {
      socket.destroy();
      reject(new Error(`neither an answer nor a close within ${patienceMs} ms`));
    }, patienceMs);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(hangs);
      resolve(answersIn(Buffer.concat(chunks)));
    });
  });
}

/** Splits the received bytes into answers. */
function answersIn(bytes: Buffer): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf(HEAD_END, at);
    if (headEnd < 0) throw new Error(`no end of the head in ${bytes.subarray(at).toString()}`);
    const [line = "", ...lines] = bytes.subarray(at, headEnd).toString("latin1").split("\r\n");
    const headers = new Map(lines.map(headerOf));
    const start = headEnd + HEAD_END.length;
    const { body, end } = headers.has("transfer-encoding")
      ? piecesFrom(bytes, start)
      : { body: bytes.subarray(start, start + lengthOf(headers)), end: start + lengthOf(headers) };
    answers.push({ status: Number(line.split(" ")[1]), headers, body: body.toString("utf8") });
    at = end;
  }
  return answers;
}

function lengthOf(headers: RawAnswer["headers"]): number {
  return Number(headers.get("content-length") ?? 0);
}

/** Reads a chunked body: each chunk follows its length, and the last chunk is empty. */
function piecesFrom(bytes: Buffer, start: number): { readonly body: Buffer; readonly end: number } {
  const pieces: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) throw new Error("a chunk without a length: the answer was cut");
    const from = lineEnd + 2;
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    pieces.push(bytes.subarray(from, from + length));
    at = from + length + 2;
    if (length === 0) return { body: Buffer.concat(pieces), end: at };
  }
}

function headerOf(line: string): readonly [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
