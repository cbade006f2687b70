import { type AccountEvent, EVENT_CAUSES, eventCursor } from "@propgate/contract";
import { type ChainedLine, hashedText, parseEvent } from "@propgate/core";
import { viewOf } from "./event-views.ts";

/**
 * A line of the journal in wire words, made from the line alone: the same line has the same view in every release.
 * @rule D9.events @rule D9.eventViews D9.proof decides
 */
export function eventView(line: ChainedLine, hasProof: boolean): AccountEvent {
  const hash = Buffer.from(line.hash).toString("hex");
  const { type, data, dueMs } = viewOf(parseEvent(line.event));
  const event = {
    id: `evt_${line.accountId.replaceAll("-", "")}_${line.seq}`,
    sequence: line.seq,
    cursor: eventCursor(line.seq, hash),
    type,
    atMs: line.atMs,
    dueMs,
    cause: causeOf(line),
    data,
    ...(hasProof ? { proof: { line: hashedText(line), hash } } : {}),
  };
  // `type` and `data` are those of one view.
  return event as AccountEvent;
}

function causeOf({ origin, keyId, nonce, command }: ChainedLine): AccountEvent["cause"] {
  // The line of an owner's command names the person: `owner:` and an id.
  const [word = ""] = origin.split(":");
  const by = EVENT_CAUSES.find((one) => one === word);
  if (by === undefined) throw new Error(`broken invariant: a known origin, not ${word}`);
  return { by, keyId, nonce, command };
}
