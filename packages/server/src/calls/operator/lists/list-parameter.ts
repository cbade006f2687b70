import type { ListDescription } from "@propgate/contract";
import { type RefusedReply, wrongField } from "../../json/json-reply.ts";

/** The query of one list, which the parts of its parser read. */
export interface RawQuery {
  readonly list: ListDescription;
  /** Each parameter once, none of them empty; all are parameters of the list. */
  readonly query: Readonly<Record<string, string>>;
  /** The list's name, and the id in its path. */
  readonly scope: string;
}

/** A value of the query, or the refusal of its parameter. */
export type Read<Value> = { readonly value: Value } | { readonly refused: RefusedReply };

export function invalid(field: string, problem: string): { readonly refused: RefusedReply } {
  return { refused: wrongField(field, problem) };
}

const QUOTED_MAX = 60;

/** An untrusted value, cut where it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}
