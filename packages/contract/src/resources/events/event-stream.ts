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
  "Everything up to the cursor that matches the stream's `types` has been sent.",
  {
    cursor: string("Pass it as `after` to continue here."),
    atMs: time("The service's time."),
    live: boolean("False while older events are still being sent, true from the head on."),
  },
);
export type StreamMark = Wire<typeof STREAM_MARK>;

/** `data` of an `end` frame, the last one of a stream. @rule D9.streamEnds */
export const STREAM_END = object("The service ends the stream.", {
  reason: word(STREAM_END_REASONS, "Why it ends."),
  cursor: string("Pass it as `after` to continue here."),
});
export type StreamEnd = Wire<typeof STREAM_END>;
