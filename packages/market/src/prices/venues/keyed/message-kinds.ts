import type { MessageKind } from "../connection.ts";

const ORDER: readonly MessageKind[] = ["greeting", "life", "unreadable", "data"];

/** The kind of a message that has several events: the one that says most. A message without events is unreadable. */
export function joinedKind(kinds: readonly MessageKind[]): MessageKind {
  return ORDER.findLast((kind) => kinds.includes(kind)) ?? "unreadable";
}

/** The events of a message: an array's elements, or the one object. */
export function eventsOf(text: string): readonly unknown[] {
  const message: unknown = JSON.parse(text);
  return Array.isArray(message) ? message : [message];
}

/** The address for WebSocket of an origin for HTTP. */
export function webSocketOrigin(origin: string): string {
  return origin.replace(/^http/, "ws");
}
