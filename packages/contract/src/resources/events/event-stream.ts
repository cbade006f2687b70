import { boolean, object, string, time, type Wire, word } from "../../schema.ts";

/**
 * Why the service ends a stream. `revoked`, `expired`, `paused` and `address`: the key may not be used, or not from
 * this address, and every request gets 401 `Invalid key`. `accountClosed`: no event follows. `restart` and `age`: the
 * client should open another stream. @rule D9.streamEnds
 */
const STREAM_END_REASONS = [
  "revoked",
  "expired",
  "paused",
  "address",
  "accountClosed",
  "restart",
  "age",
] as const;

export type StreamEndReason = (typeof STREAM_END_REASONS)[number];

/** `data` of a `mark` frame. @rule D9.streamMarks */
export const STREAM_MARK = object(
  "All events up to the cursor that match the stream's `types` have been sent.",
  {
    cursor: string("Pass it as `after` to continue after this mark."),
    atMs: time("The service's time when it sent the mark."),
    live: boolean(
      "False while the stream still sends older events; true when it has reached the newest event.",
    ),
  },
);
export type StreamMark = Wire<typeof STREAM_MARK>;

/** `data` of an `end` frame, the last one of a stream. @rule D9.streamEnds */
export const STREAM_END = object("The service ends the stream. It is the last frame.", {
  reason: word(
    STREAM_END_REASONS,
    "Why the stream ends. `revoked`, `expired`, `paused` and `address`: the key may no longer be used, or not from this address. `accountClosed`: no event follows. `restart` and `age`: open another stream.",
  ),
  cursor: string("Pass it as `after` to a new stream to continue."),
});
export type StreamEnd = Wire<typeof STREAM_END>;
