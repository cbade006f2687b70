import { JOURNAL_FILE_TYPE } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { StreamReply } from "./json-reply.ts";

/** Small texts are sent together. */
const PIECE_CHARACTERS = 64 * 1024;

/** Answers the texts of a journal's file, one a line, while they are read. Saved as `journal-ACCOUNT.jsonl`. */
export function journalFile(texts: AsyncIterable<string>, account: AccountId): StreamReply {
  return {
    status: 200,
    content: pieces(texts),
    type: JOURNAL_FILE_TYPE,
    headers: { "Content-Disposition": `attachment; filename="journal-${account}.jsonl"` },
  };
}

async function* pieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let piece = "";
  for await (const text of texts) {
    piece += `${text}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  yield Buffer.from(piece);
}
