/** The name of the frame whose cursor says up to which event the stream has sent everything (`StreamMark`). */
export const MARK_FRAME = "mark";
/** The name of a stream's frame that contains a quote. */
export const QUOTE_FRAME = "quote";
/** The name of a stream's last frame, which contains the reason why the stream ends. */
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
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return `${idLine}event: ${event}\ndata: ${data}\n\n`;
}
