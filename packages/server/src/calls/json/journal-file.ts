import { JOURNAL_FILE_TYPE } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { StreamReply } from "./json-reply.ts";
import { joinIntoPieces } from "./row-file.ts";

/** Answers the lines of a journal as the file `journal-ACCOUNT.jsonl`. They are sent while they are read. */
export function journalFileReply(texts: AsyncIterable<string>, account: AccountId): StreamReply {
  return {
    status: 200,
    content: joinIntoPieces(lines(texts)),
    type: JOURNAL_FILE_TYPE,
    headers: { "Content-Disposition": `attachment; filename="journal-${account}.jsonl"` },
  };
}

async function* lines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield `${text}\n`;
}
