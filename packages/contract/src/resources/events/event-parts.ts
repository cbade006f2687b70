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

/** The values of `cause.by`: who or what caused an event. @rule D9.events */
export const EVENT_CAUSES = ["key", "owner", "operator", "market", "clock", "validator"] as const;

/** `cause` of an event. */
export const EVENT_CAUSE = object(
  "The cause of the event: a key, a person, a price, the clock or a validator.",
  {
    by: word(
      EVENT_CAUSES,
      "`key`: an API key. `owner`: the owner on the pages. `operator`: the operator. `market`: a price. `clock`: time. `validator`: read at the validator of a linked account.",
    ),
    keyId: nullable(string("The key's id; null unless a key caused it.")),
    nonce: nullable(string("The nonce of the key's request; null unless a key caused it.")),
    command: string("The command as the journal records it, `placeMarket`."),
  },
);

/** `proof` of an event. @rule D9.proof */
export const EVENT_PROOF = object(
  "The line of the journal: `hash` is SHA-256 over the 32 bytes of the previous line's hash, then `line` in UTF-8.",
  {
    line: string(
      "Its columns as a JSON list, a line feed, and the event as JSON, exactly as they were hashed.",
    ),
    hash: string("64 hexadecimal digits. The hash before the first line is 32 zero bytes."),
  },
);

const COMMON = {
  id: string("Unique in the service: `evt_`, the account's id without hyphens, and the sequence."),
  sequence: time("Its number in the account's journal: 1, 2, 3, … without gaps."),
  cursor: string(
    "Its place for `after`: the sequence, a hyphen, and the first 32 digits of its hash.",
  ),
  atMs: time("When it was decided; when it was read, for an observed event."),
  dueMs: nullable(
    time(
      "When work of the clock was due, or the validator's own time of an observed event; both may be before `atMs`. Null for other events.",
    ),
  ),
  cause: EVENT_CAUSE,
  observed: optional(
    literal(
      true,
      "True for an event of an account that is linked to a validator: it was read there, not decided here. Absent for all others.",
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
    data: object("The fields of the event.", data),
    proof,
  });
}
