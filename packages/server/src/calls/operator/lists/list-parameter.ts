import type { ListDescription } from "@propgate/contract";
import { type RefusedReply, wrongFieldReply } from "../../json/json-reply.ts";

/** The query of a call on a list, before it is parsed. */
export interface RawQuery {
  readonly list: ListDescription;
  /** Parameters of the list, each given once and not empty. */
  readonly query: Readonly<Record<string, string>>;
  /** The list's name and the id in the call's path, so that a cursor belongs to one list. */
  readonly scope: string;
}

/** A parsed value of the query, or the refusal of its parameter. */
export type ParameterReading<Value> =
  | { readonly value: Value }
  | { readonly refused: RefusedReply };

/** The refusal of a parameter. `problem` follows its name. */
export function parameterRefusal(
  field: string,
  problem: string,
): { readonly refused: RefusedReply } {
  return { refused: wrongFieldReply(field, problem) };
}

const QUOTED_MAX = 60;

/** Quotes an untrusted value, and truncates a long one. */
export function quotedText(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}
