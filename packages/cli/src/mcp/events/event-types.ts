import {
  type AccountEvent,
  EVENT_SCHEMAS,
  EVENT_TYPES,
  type EventType,
  isEventType,
  type JsonSchema,
  type Linked,
  normalizePairName,
} from "@propgate/contract";
import { fieldsOf, unknownArgumentProblem } from "../read-arguments.ts";
import { eventError } from "./event-errors.ts";

/** The selection of a subscription: types of events, and a pair. */
export interface EventSelection {
  readonly types: readonly EventType[];
  /** The pair whose events are selected; null for every pair. */
  readonly pair: string | null;
  /** A text that is the same for requests with the same names and arguments. */
  readonly key: string;
}

/** An event in the form in which polls, streams and webhooks deliver it. */
export interface EventOccurrence extends Record<string, unknown> {
  readonly eventId: string;
  readonly name: EventType;
  readonly timestamp: string;
  readonly data: object;
}

/** Converts an event of the account to the form of the MCP draft. */
export function eventOccurrence({ id, type, atMs, data }: AccountEvent<Linked>): EventOccurrence {
  return { eventId: id, name: type, timestamp: new Date(atMs).toISOString(), data };
}

/** The items of `events/list`: one for each type of event. */
export function eventTypeItems(): readonly Readonly<Record<string, unknown>>[] {
  return EVENT_TYPES.map((name) => {
    const { description, properties } = EVENT_SCHEMAS[name].json;
    return {
      name,
      description,
      delivery: ["poll", "push", "webhook"],
      inputSchema: argumentsOf(name),
      payloadSchema: fieldsOf(properties).data,
    };
  });
}

function argumentsOf(name: EventType): JsonSchema {
  return {
    type: "object",
    properties: {
      types: {
        type: "array",
        items: { type: "string", enum: [...EVENT_TYPES] },
        description: `Further types that this subscription delivers, in one order with ${name} and under one cursor.`,
      },
      ...(hasPair(name) ? { tradePair: PAIR } : {}),
    },
    additionalProperties: false,
  };
}

const PAIR: JsonSchema = { type: "string", description: "Only events of this pair, `BTCUSD`." };

/**
 * Reads the selection from `name` and `arguments` of a request. Throws an error of the draft when one of them is wrong.
 */
export function readSelection(params: unknown): EventSelection {
  const { name, arguments: given } = fieldsOf(params);
  if (typeof name !== "string") throw eventError("InvalidParams", "'name' must be a string");
  if (!isEventType(name)) {
    const text = `'name' is ${JSON.stringify(name)}, which is not a type of event`;
    throw eventError("NotFound", text, { reason: text, kind: "event" });
  }
  if (!isAbsent(given) && (typeof given !== "object" || Array.isArray(given))) {
    throw eventError("InvalidParams", "'arguments' must be an object");
  }
  const unread = unknownArgumentProblem({ properties: { types: {}, tradePair: {} } }, given);
  if (unread !== null) throw eventError("InvalidParams", unread.replace("tool", "type of event"));
  const { types: more, tradePair } = fieldsOf(given);
  const types = [...new Set([name, ...readTypes(more)])];
  const pair = readPair(types, tradePair);
  return { types, pair, key: JSON.stringify([name, more ?? null, tradePair ?? null]) };
}

function readTypes(given: unknown): readonly EventType[] {
  if (isAbsent(given)) return [];
  if (!Array.isArray(given)) {
    throw eventError("InvalidParams", "'arguments.types' must be a list of types of events");
  }
  return given.map((type: unknown) => {
    if (typeof type === "string" && isEventType(type)) return type;
    const shown = JSON.stringify(type);
    throw eventError(
      "InvalidParams",
      `'arguments.types' names ${shown}, which is not a type of event`,
    );
  });
}

function readPair(types: readonly EventType[], given: unknown): string | null {
  if (isAbsent(given)) return null;
  const pair = typeof given === "string" ? normalizePairName(given) : null;
  if (pair === null) {
    throw eventError("InvalidParams", "'arguments.tradePair' must be a pair identifier");
  }
  const without = types.find((type) => !hasPair(type));
  if (without === undefined) return pair;
  throw eventError(
    "InvalidParams",
    `'arguments.tradePair' cannot be given for ${without}, whose events have no pair`,
  );
}

function isAbsent(given: unknown): given is null | undefined {
  return given === undefined || given === null;
}

function hasPair(type: EventType): boolean {
  return pairsIn(EVENT_SCHEMAS[type].json).length > 0;
}

/** True when the selection contains the event. */
export function isSelected(
  { type, data }: AccountEvent<Linked>,
  { types, pair }: EventSelection,
): boolean {
  return types.includes(type) && (pair === null || pairsIn(data).includes(pair));
}

/** The values of `tradePair` at every depth, because an event has its pair in its own data or in that of its orders. */
function pairsIn(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "tradePair" ? [inner] : pairsIn(inner),
  );
}
