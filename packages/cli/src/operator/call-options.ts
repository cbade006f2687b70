import type { OperatorCallName } from "@propgate/contract";
import { type Command, Option } from "commander";
import type { CallField } from "./call-fields.ts";

/** Parameters that every list has. Their options are shown in the help of every list. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set([
  "limit",
  "after",
  "sort",
  "q",
  "fields",
  "format",
]);

/**
 * Adds the options and arguments of a call's fields. The help leaves out the filters of a list, because the list's
 * description names them.
 */
export function addFieldOptions(
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
    const off = isOnByDefault || NEGATABLE_FIELDS.has(`${name} ${field.name}`);
    return [...on, ...(off ? [new Option(`--no-${typed.replace(NEGATION, "")}`, about)] : [])];
  }
  const option = new Option(`${typed} <${wordOf(field)}>`, about);
  const { enum: words } = schema;
  const choices = Array.isArray(words) ? words.filter((one) => typeof one === "string") : [];
  const isFilter = isList && !ALWAYS_SHOWN.has(field.name);
  if (choices.length > 0 && field.name !== "sort") option.choices(choices);
  if (field.location === "body" && schema.type === "array") option.argParser(collect);
  const preset = PRESETS[`${name} ${field.name}`];
  if (preset !== undefined) option.default(preset);
  else if (field.isRequired) option.makeOptionMandatory();
  return [isFilter ? option.hideHelp() : option];
}

/** Collects the values of an option that may be given several times, or once with commas. */
function collect(text: string, before: unknown): readonly unknown[] {
  return [...(Array.isArray(before) ? before : []), text];
}

/** The beginning of a flag, `--` or `--no-`. Both flags belong to one field. */
export const NEGATION = /^--(no-)?/;

/** True for a field that is typed without a value: a boolean of a body, or a parameter such as `dryRun=1`. */
export function isFlag({ location, schema }: CallField): boolean {
  return (location === "body" && schema.type === "boolean") || isSwitch(schema.enum);
}

/** True when the parameter's only word is `1`, as for `dryRun=1`. */
function isSwitch(words: unknown): boolean {
  return Array.isArray(words) && words.length === 1 && words[0] === "1";
}

/** Fields that are true by default, so that their flag begins with `--no-`. */
const ON_BY_DEFAULT: ReadonlySet<string> = new Set([
  "accounts.open provisioned",
  "webhooks.create enabled",
]);
const NEGATABLE_FIELDS: ReadonlySet<string> = new Set(["webhooks.update enabled"]);

/** The typed text of fields whose default in the command differs from the call's default. */
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

/** The description of a field's schema as the help of its option. */
function aboutOf({ schema }: CallField): string {
  const text = typeof schema.description === "string" ? schema.description : "";
  return lowerFirst(text.replaceAll("`", "").replace(/\.$/, ""));
}

/**
 * The text with a lower-case first letter, as a summary begins: `open an account`. A word in capitals stays:
 * `API keys`.
 */
export function lowerFirst(text: string): string {
  return /^[A-Z](?![A-Z])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
