/** The name of a stream's frame with a place up to which all events have been sent (`StreamMark`). */
export const MARK_FRAME = "mark";
/** The name of the frame of a stream that has a quote. */
export const QUOTE_FRAME = "quote";
/** The name of the last frame of a stream, which has the reason of its end. */
export const END_FRAME = "end";

/** One server-sent event. */
export interface EventFrame {
  /** The frame's name: an event's type, or one of the names above. */
  readonly event: string;
  /** The cursor to continue after; absent on frames that have none. */
  readonly id?: string;
  /** The frame's content, in one line. */
  readonly data: string;
}

/** The frame's text: lines end with a line feed, and an empty line ends the frame. @rule D9.stream */
export function frameText({ event, id, data }: EventFrame): string {
  const place = id === undefined ? "" : `id: ${id}\n`;
  return `${place}event: ${event}\ndata: ${data}\n\n`;
}
