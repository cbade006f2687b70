import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
  /** The status line and the headers as they came. */
  readonly head: string;
}

/** Sends the bytes. Resolves with all answers when the server has closed the connection. */
export function sendBytes(
  port: number,
  bytes: string,
  mode: "close" | "keepOpen" = "close",
): Promise<readonly RawAnswer[]> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(Buffer.from(bytes, "latin1"));
      if (mode === "close") socket.end();
    });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(parseAnswers(Buffer.concat(chunks))));
  });
}

/** The answers in the bytes that a connection has received. */
export function parseAnswers(bytes: Buffer): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf("\r\n\r\n", at);
    const head = bytes.subarray(at, headEnd).toString("latin1");
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const body = bytes.subarray(headEnd + 4, headEnd + 4 + length).toString("utf8");
    answers.push({ status: Number(head.split(" ")[1]), body, head });
    at = headEnd + 4 + length;
  }
  return answers;
}
