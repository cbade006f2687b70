import { wireJson } from "@propgate/base";
import {
  EVENT_FILE_TYPES,
  type EventFileFormat,
  NEXT_HEADER,
  type OperatorEvent,
} from "@propgate/contract";
import { csvRow } from "../json/csv-row.ts";
import type { StreamReply } from "../json/json-reply.ts";

/** Small texts are sent together. */
const PIECE_CHARACTERS = 64 * 1024;

/** Answers the events up to that moment as a file while they are read. `next` is the `after` of the next file. */
export function eventFile(
  events: AsyncIterable<OperatorEvent>,
  about: { readonly format: EventFileFormat; readonly next: string; readonly asOfMs: number },
): StreamReply {
  const { format, next, asOfMs } = about;
  return {
    status: 200,
    content: pieces(format === "csv" ? csvRows(events) : jsonLines(events)),
    type: EVENT_FILE_TYPES[format],
    headers: {
      "Content-Disposition": `attachment; filename="events.${format}"`,
      "X-As-Of-Ms": String(asOfMs),
      [NEXT_HEADER]: next,
    },
  };
}

async function* jsonLines(events: AsyncIterable<OperatorEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${wireJson(event)}\n`;
}

type Cell = string | number | null;

const COLUMNS: readonly (readonly [name: string, cell: (event: OperatorEvent) => Cell])[] = [
  ["accountId", ({ accountId }) => accountId],
  ["externalId", ({ externalId }) => externalId],
  ["ownerId", ({ ownerId }) => ownerId],
  ["sequence", ({ sequence }) => sequence],
  ["id", ({ id }) => id],
  ["type", ({ type }) => type],
  ["at", ({ atMs }) => new Date(atMs).toISOString()],
  ["atMs", ({ atMs }) => atMs],
  ["causeBy", ({ cause }) => cause.by],
  ["keyId", ({ cause }) => cause.keyId],
  ["nonce", ({ cause }) => cause.nonce],
  ["data", ({ data }) => wireJson(data)],
];

async function* csvRows(events: AsyncIterable<OperatorEvent>): AsyncGenerator<string> {
  yield csvRow(COLUMNS.map(([name]) => name));
  for await (const event of events) yield csvRow(COLUMNS.map(([, cell]) => cell(event)));
}

async function* pieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let piece = "";
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  yield Buffer.from(piece);
}
