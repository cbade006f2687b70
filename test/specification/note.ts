import { isRecord } from "@propgate/contract";
import { STATE_NAMES, type StateName } from "./eight-states.ts";
import type { Evidence } from "./evidence.ts";

/** The proof of a remark: answers of the service, a rule that has its own tests, or the reason why there is none. */
export type NoteProof =
  | { readonly seen: (evidence: Evidence) => boolean }
  | { readonly rule: string }
  | { readonly untried: string };

/** A remark in a row of a table, in the words of the document. `row` is the table's name and the row's first cell. */
export interface Note {
  readonly row: string;
  readonly text: string;
  readonly held: NoteProof;
}

export const createNote = (row: string, text: string, held: NoteProof): Note => ({
  row,
  text,
  held,
});

/** The value at a path such as `account.currentBalance` or `0.positionType`. */
export function valueAt(root: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (at, name) =>
        isRecord(at) || Array.isArray(at) ? (at as Record<string, unknown>)[name] : undefined,
      root,
    );
}

/** The value at a path of GET account in one of the eight states. */
export const accountValue = ({ live }: Evidence, state: StateName, path: string): unknown =>
  valueAt(live.states[state].account, path);

/** Whether GET account has these values at a path. `values` is by state; states without a value are not compared. */
export const haveAccountValues = (evidence: Evidence, path: string, values: object): boolean =>
  STATE_NAMES.every(
    (name) => !(name in values) || accountValue(evidence, name, path) === valueAt(values, name),
  );

/** Whether the value at a path of GET account passes the check in every state. */
export const isSoForEveryAccount = (
  evidence: Evidence,
  path: string,
  isSo: (value: unknown, state: StateName) => boolean,
): boolean => STATE_NAMES.every((name) => isSo(accountValue(evidence, name, path), name));

/** Whether a value is Unix milliseconds. The same moment in seconds is a thousand times smaller. */
export const isUnixMs = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) > 1e12;

/** Makes a check whether a value is a text that matches the form. */
export const textMatcher =
  (form: RegExp) =>
  (value: unknown): boolean =>
    typeof value === "string" && form.test(value);
