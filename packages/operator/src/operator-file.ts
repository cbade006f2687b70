import { AS_OF_HEADER, NEXT_HEADER } from "@propgate/contract";
import { inTime, readTimeout, UnexpectedAnswerError } from "@propgate/sdk";
import type { CallOptions, OperatorConnection } from "./operator-settings.ts";

/** A file of the service. Its content arrives in parts and can be read once. */
export interface OperatorFile {
  readonly contentType: string;
  /** The moment of the file's contents, Unix milliseconds; null when its parts are from several moments. */
  readonly asOfMs: number | null;
  /** The `after` of the next file of events; null for any other file. */
  readonly next: string | null;
  /**
   * The bytes in parts: `pipeline(file.content, createWriteStream(path))`. Throws UnreachableError when the connection
   * breaks before the end, so a part cannot be mistaken for the whole file.
   */
  readonly content: AsyncIterable<Uint8Array>;
  /** The whole file as a string. Throws like `content`. */
  text(): Promise<string>;
}

/** The file of an answer. Its content is read while it is iterated. */
export function fileOf(
  connection: OperatorConnection,
  response: Response,
  options: CallOptions,
): OperatorFile {
  const { body, headers, status } = response;
  const contentType = headers.get("content-type");
  if (body === null || contentType === null) throw new UnexpectedAnswerError(status);
  const asOf = headers.get(AS_OF_HEADER);
  const content = partsOf(connection, body, options);
  return {
    contentType,
    asOfMs: asOf === null ? null : Number(asOf),
    next: headers.get(NEXT_HEADER),
    content,
    text: () => textOf(content),
  };
}

async function* partsOf(
  connection: OperatorConnection,
  body: ReadableStream<Uint8Array>,
  {
    signal = null,
    timeoutMs,
  }: { readonly signal?: AbortSignal | null; readonly timeoutMs?: number },
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const limitMs = readTimeout("timeoutMs", timeoutMs, connection.timeoutMs);
  try {
    for (;;) {
      const { done, value } = await inTime({ signal, baseUrl: connection.baseUrl }, limitMs, () =>
        reader.read(),
      );
      if (done) return;
      yield value;
    }
  } finally {
    // `cancel` closes the connection of a file that is not read to its end. A connection that broke needs no closing,
    // so its error is ignored.
    await reader.cancel().catch(() => {});
  }
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of content) text += decoder.decode(part, { stream: true });
  return text + decoder.decode();
}

/** The lines of a file without their line feeds, including a last line without one. */
export async function* fileLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of content) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
