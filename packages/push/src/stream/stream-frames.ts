import { wireJson } from "@propgate/base";
import {
  END_FRAME,
  frameText,
  MARK_FRAME,
  QUOTE_FRAME,
  type QuoteItem,
  type StreamEnd,
  type StreamMark,
} from "@propgate/contract";
import type { ChainedLine } from "@propgate/core";
import { eventView } from "@propgate/wire";

/** The frame of an event; its `id` is the event's cursor. @rule D9.stream */
export function eventFrame(line: ChainedLine, hasProof: boolean): string {
  const event = eventView(line, hasProof);
  return frameText({ id: event.cursor, event: event.type, data: wireJson(event) });
}

export function markFrame(mark: StreamMark): string {
  return frameText({ event: MARK_FRAME, data: wireJson(mark) });
}

export function quoteFrame(quote: QuoteItem): string {
  return frameText({ event: QUOTE_FRAME, data: wireJson(quote) });
}

export function endFrame(end: StreamEnd): string {
  return frameText({ event: END_FRAME, data: wireJson(end) });
}
