import type { IncomingMessage } from "node:http";

const NOTHING = Buffer.alloc(0);

/**
 * The exact bytes of a body, or `tooLarge` as soon as that is known, with the rest left unread. A
 * client that goes away in the middle reads as no body: nobody is left to be told.
 * @rule D2.body
 */
export function readBody(
  message: IncomingMessage,
  mostBytes: number,
): Buffer | "tooLarge" | Promise<Buffer | "tooLarge"> {
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
    message.on("error", () => resolve(NOTHING));
    message.on("close", () => resolve(NOTHING));
  });
}

/** Whether the head of the request announces one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}
