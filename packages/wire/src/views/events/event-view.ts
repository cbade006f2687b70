import { type AccountEvent, EVENT_CAUSES, eventCursor, type Linked } from "@propgate/contract";
import { type ChainedLine, hashedText, isObserved, parseLineEvent } from "@propgate/core";
import { eventPartsOf, eventTypeWord } from "./event-views.ts";

/**
 * A line of the journal in the API's form, made from the line alone: the same line has the same view in every release.
 * A line that was read at a validator has its data in this form already. With `hasProof`, the event also has the line
 * and its hash. @rule D9.events D13.observed @rule D9.eventViews D9.proof decides
 */
export function eventView(line: ChainedLine, hasProof: boolean): AccountEvent<Linked> {
  const hash = Buffer.from(line.hash).toString("hex");
  const kept = parseLineEvent(line.event);
  const isRead = isObserved(kept);
  const { type, data, dueMs } = isRead
    ? { type: eventTypeWord(kept.type), data: kept.data, dueMs: kept.dueMs }
    : eventPartsOf(kept);
  const event = {
    id: `evt_${line.accountId.replaceAll("-", "")}_${line.seq}`,
    sequence: line.seq,
    cursor: eventCursor(line.seq, hash),
    type,
    atMs: line.atMs,
    dueMs,
    cause: causeOf(line),
    ...(isRead ? { observed: true } : {}),
    data,
    ...(hasProof ? { proof: { line: hashedText(line), hash } } : {}),
  };
  // The cast is valid, because `type` and `data` are of one event.
  return event as AccountEvent<Linked>;
}

function causeOf({ origin, keyId, nonce, command }: ChainedLine): AccountEvent["cause"] {
  // An origin can name a person after its word: `owner:` and an id.
  const [word = ""] = origin.split(":");
  const by = EVENT_CAUSES.find((one) => one === word);
  if (by === undefined) throw new Error(`broken invariant: a known origin, not ${word}`);
  return { by, keyId, nonce, command };
}
