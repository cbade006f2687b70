import type { IncomingMessage } from "node:http";
import type { Timer } from "@propgate/base";

const READ_BYTES_MAX = 4096;
const READ_MAX_MS = 1000;
const KEPT_BYTES = 512;

/**
 * Secrets of the service and of an endpoint that a receiver might repeat in its answer. Each match ends before
 * whitespace, a quote or an angle bracket.
 */
const SECRETS = /(?:whsec_|propgate_(?:sk|op)_|\bbearer\s+)[^\s"'<>]*/gi;

/**
 * Reads an answer until its end, but at most about 4 KiB, for one second and until the signal aborts. Then it closes
 * the connection unless the answer is complete. The result is the text of the first 512 bytes, without control
 * characters and secrets, for pages and logs; null for a compressed answer.
 */
export function readWebhookAnswer(
  answer: IncomingMessage,
  { timer, signal }: { readonly timer: Timer; readonly signal: AbortSignal },
): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let count = 0;
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      if (!answer.complete) answer.destroy();
      resolve(isUncompressed(answer) ? printableAnswer(Buffer.concat(chunks)) : null);
    };
    const cancel = timer.after(READ_MAX_MS, end);
    signal.addEventListener("abort", end);
    answer.on("error", end);
    answer.on("close", end);
    answer.on("end", end);
    answer.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      count += chunk.length;
      if (count > READ_BYTES_MAX) end();
    });
  });
}

function isUncompressed({ headers }: IncomingMessage): boolean {
  return (headers["content-encoding"] ?? "identity").trim().toLowerCase() === "identity";
}

/** The text of the first 512 bytes on one line. Control characters are removed and secrets are masked. */
export function printableAnswer(bytes: Uint8Array): string {
  // With `stream` the decoder leaves out the last character when the end of the 512 bytes divides it.
  const text = new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true });
  return text
    .replace(/[\t\r\n]/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/ {2,}/g, " ")
    .replace(SECRETS, "***")
    .trim();
}
