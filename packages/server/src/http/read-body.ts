import type { IncomingMessage } from "node:http";

const NOTHING = Buffer.alloc(0);

export type BodyReading = Buffer | "tooLarge" | "cutOff";

/**
 * The exact bytes of a body, or `tooLarge` as soon as that is known, with the rest left unread.
 * `cutOff`: it never came whole, and nobody is left to be told. That is not the same as no body:
 * what announced one and signed none must not be carried out.
 * @rule D2.body
 */
export function readBody(
  message: IncomingMessage,
  mostBytes: number,
): BodyReading | Promise<BodyReading> {
  if (!hasBody(message)) return NOTHING;
  if (Number(message.headers["content-length"] ?? 0) > mostBytes) return "tooLarge";
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= mostBytes) return;
      message.pause().off("data", onData);
      resolve("tooLarge");
    };
    message.on("data", onData);
    message.on("end", () => resolve(Buffer.concat(chunks)));
    message.on("error", () => resolve("cutOff"));
    message.on("close", () => resolve("cutOff"));
  });
}

/** Whether the head of the request announces one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}
