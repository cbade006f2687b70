import { AUDIT_LIST } from "../audit.ts";
import { INSTRUMENTS_LIST } from "../instruments.ts";
import { PEOPLE_LIST } from "../people.ts";
import type { ListDescription, ListOf } from "./list-description.ts";

const LISTS = {
  "instruments.list": INSTRUMENTS_LIST,
  "people.list": PEOPLE_LIST,
  "audit.list": AUDIT_LIST,
} as const satisfies Readonly<Record<string, ListDescription>>;

/** The calls that answer a list. */
export type ListCall = keyof typeof LISTS;

/** The item of a call's list. */
export type ListItem<Call extends ListCall> =
  (typeof LISTS)[Call] extends ListOf<infer Item> ? Item : never;

/** Every list of the operator's interface, by the name of its call. */
export const OPERATOR_LISTS: { readonly [Call in ListCall]: ListOf<ListItem<Call>> } = LISTS;
