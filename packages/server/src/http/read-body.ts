import type { IncomingMessage } from "node:http";

const NOTHING = Buffer.alloc(0);

/**
 * The exact bytes of a body, or `tooLarge` as soon as that is known, with the rest left unread.
 * @rule D2.bodyLimit
 */
export function readBody(
  message: IncomingMessage,
  mostBytes: number,
): Buffer | Promise<Buffer | "tooLarge"> {
  const { headers } = message;
  const announced = headers["content-length"];
  if (headers["transfer-encoding"] === undefined && (announced === undefined || announced === "0"))
    return NOTHING;
  if (announced !== undefined && Number(announced) > mostBytes) return Promise.resolve("tooLarge");
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= mostBytes) return;
      message.pause();
      resolve("tooLarge");
    });
    message.on("end", () => resolve(chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks)));
    message.on("error", reject);
    // A client that goes away in the middle gets no answer, but must not keep us waiting.
    message.on("close", () => resolve(NOTHING));
  });
}
