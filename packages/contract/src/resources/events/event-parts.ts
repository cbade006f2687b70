import {
  type Fields,
  type Linked,
  literal,
  nullable,
  object,
  optional,
  type Schema,
  string,
  time,
  type WireObject,
  word,
} from "../../schema.ts";

/** The values of `cause.by`, which names the actor of an event. @rule D9.events */
export const EVENT_CAUSES = ["key", "owner", "operator", "market", "clock", "validator"] as const;

/** `cause` of an event. */
export const EVENT_CAUSE = object(
  "The cause of the event: the actor in `by`, and the command that led to it.",
  {
    by: word(
      EVENT_CAUSES,
      "`key`: a request with an API key. `owner`: the owner on the dashboard. `operator`: the operator. `market`: a price. `clock`: the passing of time. `validator`: it was read at the validator of a linked account.",
    ),
    keyId: nullable(string("The id of the API key; null unless a key caused the event.")),
    nonce: nullable(
      string("The nonce of the API key's request; null unless a key caused the event."),
    ),
    command: string("The internal command that the journal records, such as `placeMarket`."),
  },
);

/** `proof` of an event. @rule D9.proof */
export const EVENT_PROOF = object(
  "The event's journal line. `hash` is the SHA-256 of the 32 bytes of the previous line's hash, followed by `line` in UTF-8.",
  {
    line: string(
      "The columns of the line as a JSON list, a line feed, and the event as JSON, exactly as they were hashed.",
    ),
    hash: string(
      "The hash of the line, 64 hexadecimal digits. The hash before the first line is 32 zero bytes.",
    ),
  },
);

const COMMON = {
  id: string(
    "Unique id of the event: `evt_`, the account's id without hyphens, `_`, and the sequence.",
  ),
  sequence: time("Number of the event in the account's journal: 1, 2, 3, … without gaps."),
  cursor: string(
    "The event's cursor, to pass as `after`: the sequence, a hyphen, and the first 32 hexadecimal digits of the line's hash.",
  ),
  atMs: time(
    "When the event was decided. For an observed event: when it was read at the validator.",
  ),
  dueMs: nullable(
    time(
      "When scheduled work was due, for its events such as `day.ended` and `carry.charged`. For an observed event: the validator's own time, if known. Both can be before `atMs`. Null for all other events.",
    ),
  ),
  cause: EVENT_CAUSE,
  observed: optional(
    literal(
      true,
      "True for an event of a linked account that was read at its validator, and not decided by this service. Absent for all other events.",
    ),
  ),
  proof: optional(EVENT_PROOF),
};

type EventFields<Type extends string, All extends Fields> = Omit<typeof COMMON, never> & {
  readonly type: Schema<Type>;
  readonly data: Schema<WireObject<All>, WireObject<All, Linked>>;
};

/** The schema of one type of event: the fields that all events have, and its own `data`. */
export function eventOf<const Type extends string, All extends Fields>(
  type: Type,
  description: string,
  data: All,
): Schema<WireObject<EventFields<Type, All>>, WireObject<EventFields<Type, All>, Linked>> {
  const { id, sequence, cursor, atMs, dueMs, cause, observed, proof } = COMMON;
  return object(description, {
    id,
    sequence,
    cursor,
    type: literal(type, "The type of the event."),
    atMs,
    dueMs,
    cause,
    observed,
    data: object("The fields of this type of event.", data),
    proof,
  });
}
