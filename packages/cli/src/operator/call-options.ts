import type { OperatorCallName } from "@propgate/contract";
import { type Command, Option } from "commander";
import type { CallField } from "./call-fields.ts";

/** Parameters that every list has. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set([
  "limit",
  "after",
  "sort",
  "q",
  "fields",
  "format",
]);

/** Adds the options and arguments of a call's fields. Filters of a list are named in its description alone. */
export function addFields(
  command: Command,
  name: OperatorCallName,
  given: { readonly fields: readonly CallField[]; readonly isList: boolean },
): void {
  for (const field of given.fields) {
    if (field.typed.startsWith("<")) command.argument(field.typed, aboutOf(field));
    else for (const option of optionsOf(name, field, given.isList)) command.addOption(option);
  }
}

function optionsOf(name: OperatorCallName, field: CallField, isList: boolean): readonly Option[] {
  const { typed, schema } = field;
  const about = aboutOf(field);
  if (isFlag(field)) {
    const isOnByDefault = ON_BY_DEFAULT.has(`${name} ${field.name}`);
    const on = isOnByDefault ? [] : [new Option(typed, about)];
    const off = isOnByDefault || CAN_BE_OFF.has(`${name} ${field.name}`);
    return [...on, ...(off ? [new Option(`--no-${typed.replace(NEGATION, "")}`, about)] : [])];
  }
  const option = new Option(`${typed} <${wordOf(field)}>`, about);
  const { enum: words } = schema;
  const choices = Array.isArray(words) ? words.filter((one) => typeof one === "string") : [];
  const isFilter = isList && !ALWAYS_SHOWN.has(field.name);
  if (choices.length > 0 && field.name !== "sort") option.choices(choices);
  if (field.place === "body" && schema.type === "array") option.argParser(collect);
  const preset = PRESETS[`${name} ${field.name}`];
  if (preset !== undefined) option.default(preset);
  else if (field.isRequired) option.makeOptionMandatory();
  return [isFilter ? option.hideHelp() : option];
}

/** The option may be given several times, or once with commas. */
function collect(text: string, before: unknown): readonly unknown[] {
  return [...(Array.isArray(before) ? before : []), text];
}

/** `--` or `--no-` of a flag: both are options of one field. */
export const NEGATION = /^--(no-)?/;

/** True for a body's field that is typed without a value. */
export function isFlag({ place, schema }: CallField): boolean {
  return (place === "body" && schema.type === "boolean") || isSwitch(schema.enum);
}

/** `dryRun=1`. */
function isSwitch(words: unknown): boolean {
  return Array.isArray(words) && words.length === 1 && words[0] === "1";
}

/** Fields that are true when they are left out. */
const ON_BY_DEFAULT: ReadonlySet<string> = new Set([
  "accounts.open provisioned",
  "webhooks.create enabled",
]);
const CAN_BE_OFF: ReadonlySet<string> = new Set(["webhooks.update enabled"]);

/** The text of a field that was left out, where the command has another default than the call. */
const PRESETS: Readonly<Record<string, string>> = {
  "keys.create scopes": "trade:read,trade:place",
  "tokens.add expiresInHours": "30d",
  "webhooks.rotate overlapMs": "24",
  "people.list sort": "name",
  "tokens.list sort": "name",
  "programs.list sort": "id",
};

function wordOf({ typed, schema }: CallField): string {
  if (schema.format === "int64") return "time";
  const types: readonly unknown[] = [schema.type].flat();
  if (types.includes("number") || types.includes("integer")) return "number";
  return types.includes("array") ? "words" : (typed.split("-").at(-1) ?? "text");
}

/** A schema's description as the text of an option. */
function aboutOf({ schema }: CallField): string {
  const text = typeof schema.description === "string" ? schema.description : "";
  return lower(text.replaceAll("`", "").replace(/\.$/, ""));
}

/** A sentence as a summary begins: `open an account`, but `API keys`. */
export function lower(text: string): string {
  return /^[A-Z](?![A-Z])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
