import type { MessageKind } from "../connection.ts";

/** The kinds by priority, the lowest first. `joinKinds` returns the last one that occurs. */
const ORDER: readonly MessageKind[] = ["greeting", "life", "unreadable", "data"];

/**
 * The kind of a message with several events: the one of their kinds with the highest priority in `ORDER`. A message
 * without events is unreadable.
 */
export function joinKinds(kinds: readonly MessageKind[]): MessageKind {
  return ORDER.findLast((kind) => kinds.includes(kind)) ?? "unreadable";
}

/** The events of a message: the elements of an array, or the one object. */
export function parseEvents(text: string): readonly unknown[] {
  const message: unknown = JSON.parse(text);
  return Array.isArray(message) ? message : [message];
}

/** The WebSocket form of an HTTP origin. */
export function webSocketOrigin(origin: string): string {
  return origin.replace(/^http/, "ws");
}
