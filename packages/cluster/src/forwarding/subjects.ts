import { FORWARDING_FORMAT } from "./forward-message.ts";

/** The subject of commands to a node. */
export function commandSubject(installation: string, node: string): string {
  return `propgate.${installation}.forwarding${FORWARDING_FORMAT}.orders.${node}`;
}

/** The subject of answers to the commands that a node has forwarded. */
export function answerSubject(installation: string, node: string): string {
  return `propgate.${installation}.forwarding${FORWARDING_FORMAT}.answers.${node}`;
}
