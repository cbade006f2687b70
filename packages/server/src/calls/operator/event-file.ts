import { wireJson } from "@propgate/base";
import { type ListFileFormat, NEXT_HEADER, type OperatorEvent } from "@propgate/contract";
import type { StreamReply } from "../json/json-reply.ts";
import { type FileColumn, rowFileReply, timeColumns } from "../json/row-file.ts";

/**
 * Answers the events up to `asOfMs` as a file while they are read. `next` is the value of `after` with which the next
 * file continues.
 */
export function eventFileReply(
  events: AsyncIterable<OperatorEvent>,
  about: { readonly format: ListFileFormat; readonly next: string; readonly asOfMs: number },
): StreamReply {
  const { format, next, asOfMs } = about;
  const headers = { [NEXT_HEADER]: next };
  return rowFileReply(events, { name: "events", format, columns: COLUMNS, asOfMs, headers });
}

const COLUMNS: readonly FileColumn<OperatorEvent>[] = [
  { name: "accountId", cell: ({ accountId }) => accountId },
  { name: "externalId", cell: ({ externalId }) => externalId },
  { name: "ownerId", cell: ({ ownerId }) => ownerId },
  { name: "sequence", cell: ({ sequence }) => sequence },
  { name: "id", cell: ({ id }) => id },
  { name: "type", cell: ({ type }) => type },
  ...timeColumns<OperatorEvent>("atMs", ({ atMs }) => atMs),
  { name: "causeBy", cell: ({ cause }) => cause.by },
  { name: "keyId", cell: ({ cause }) => cause.keyId },
  { name: "nonce", cell: ({ cause }) => cause.nonce },
  { name: "data", cell: ({ data }) => wireJson(data) },
  { name: "observed", cell: ({ observed }) => (observed === true ? "true" : null) },
];
