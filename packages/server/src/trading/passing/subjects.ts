import { PASSING_FORMAT } from "./passing-message.ts";

/** Commands to a node. */
export function commandsTo(installation: string, node: string): string {
  return `propgate.${installation}.passing${PASSING_FORMAT}.orders.${node}`;
}

/** Answers to the commands that a node has passed. */
export function answersTo(installation: string, node: string): string {
  return `propgate.${installation}.passing${PASSING_FORMAT}.answers.${node}`;
}
