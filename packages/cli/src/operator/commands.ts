/* `propgate operator <resource> <verb>`: a command for each call of the operator's interface, made from the tables
   of the interface. When a call needs more than its fields, its step is in `before.ts`. When people read its answer,
   the lines are in `views/`. */
import { extname } from "node:path";
import {
  type BulkCall,
  isBulkCall,
  isOperatorCall,
  isRecord,
  OPERATOR_CALLS,
  OPERATOR_LISTS,
  OPERATOR_RESOURCES,
  OPERATOR_SUMMARIES,
  type OperatorCallName,
  resourceOf,
} from "@propgate/contract";
import type { BulkFile, OperatorCaller } from "@propgate/operator";
import type { Command } from "commander";
import { EndWith, EXIT, usageError } from "../cli-error.ts";
import {
  addOperatorOptions,
  createOperatorCaller,
  isFile,
  isIterable,
  type OperatorOptions,
  withCheckedAnswers,
} from "../operator-client.ts";
import { type OutputOptions, printResult } from "../output.ts";
import { columnsOf } from "../render/csv.ts";
import { readTextFile } from "../secret.ts";
import type { Terminal } from "../terminal.ts";
import { addCheckOptions, checkTypedArguments } from "./argument-checks.ts";
import { type CallField, fieldsOf, kebabCase } from "./call-fields.ts";
import { addFieldOptions, isFlag, lowerFirst, NEGATION } from "./call-options.ts";
import { bulkLine, printOperatorFile } from "./files.ts";
import { typedValue } from "./typed-value.ts";
import { answerLines, isList, listLines } from "./views/call-views.ts";

type Options = OperatorOptions & OutputOptions & { readonly file?: string };

/**
 * Calls whose commands are written by hand, because they do more than the call, or belong to `journal`, `backup` or
 * another command.
 */
const HANDWRITTEN_COMMANDS: ReadonlySet<OperatorCallName> = new Set([
  "people.add",
  "people.disable",
  "people.enable",
  "corporateActions.announce",
  "programs.get",
  "programs.add",
  "programs.validate",
  "catalogue.validate",
  "prices.effect",
  "prices.use",
  "prices.auto",
  "prices.halt",
  "health",
  "backup",
  "journal.verify",
  "journal.rebuild",
  "journal.export",
]);

/** Adds the commands of all calls that are not written by hand. */
export function addOperatorCalls(operator: Command, terminal: Terminal): void {
  const names = Object.keys(OPERATOR_CALLS)
    .filter(isOperatorCall)
    .filter((name) => !HANDWRITTEN_COMMANDS.has(name));
  for (const name of names) addCall(operator, terminal, name);
}

function addCall(operator: Command, terminal: Terminal, name: OperatorCallName): void {
  const [first = "", verb] = name.split(".");
  const group = verb === undefined ? operator : groupOf(operator, first, name);
  const command = addOperatorOptions(group.command(kebabCase(verb ?? first)));
  command.summary(lowerFirst(OPERATOR_SUMMARIES[name])).description(descriptionOf(name));
  const fields = fieldsOf(name);
  const isFiltered = isList(name) || name === "exposure" || name === "stress";
  addFieldOptions(command, name, { fields, isList: isFiltered });
  if (isBulkCall(name)) command.requiredOption("--file <path>", "the rows: a .csv or .ndjson file");
  addCheckOptions(command, name);
  command.action(() => runCall(command, terminal, { name, fields }));
}

/** The command of a resource, such as `accounts`. It is created unless an earlier call has created it. */
function groupOf(operator: Command, first: string, name: OperatorCallName): Command {
  const word = kebabCase(first);
  const found = operator.commands.find((one) => one.name() === word);
  if (found !== undefined) return found;
  const about = OPERATOR_RESOURCES[resourceOf(name)].replace(/\.$/, "");
  return operator.command(word).summary(lowerFirst(about));
}

function descriptionOf(name: OperatorCallName): string {
  const about = `${OPERATOR_SUMMARIES[name]}.`;
  if (!isList(name)) return about;
  const fields = OPERATOR_LISTS[name].fields.map((field) => field.name);
  return `${about}${FILTERS} Fields: ${fields.join(", ")}.`;
}

const FILTERS =
  " Each field of an item is a filter: --status active,closed for words and ids, --size-min and --size-max for numbers " +
  "and times, null and set for a field that is not known or known. Without --limit and --after all items are listed; " +
  "--format csv and --format ndjson write a file of one moment.";

/** The page size when all pages of a list are read. */
const PAGE_MAX = 500;

interface CallCommand {
  readonly name: OperatorCallName;
  readonly fields: readonly CallField[];
}

async function runCall(
  command: Command,
  terminal: Terminal,
  { name, fields }: CallCommand,
): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const typed = readTyped(command, name, fields);
  const caller = await createOperatorCaller(terminal, options);
  const ids = await checkTypedArguments(withCheckedAnswers(caller), { name, command, ...typed });
  if (isBulkCall(name)) return runBulk(caller, { name, terminal, options, query: typed.given });
  const isWhole = isList(name) && !("limit" in typed.given || "after" in typed.given);
  const given = isWhole ? { ...typed.given, limit: PAGE_MAX } : typed.given;
  const answer = await caller(name, [...ids, given]);
  if (isFile(answer)) return printOperatorFile(terminal, answer);
  if (isWhole) {
    const items = await allItems(answer);
    const columns = "fields" in given ? [] : columnsOf(OPERATOR_LISTS[name].item);
    const lines = listLines(name, items, { terminal, given });
    return printResult(terminal, options, { value: items, columns, lines });
  }
  printAnswer(terminal, options, { name, answer, given });
}

function printAnswer(
  terminal: Terminal,
  options: Options,
  {
    name,
    answer,
    given,
  }: Pick<CallCommand, "name"> & {
    readonly answer: unknown;
    readonly given: Readonly<Record<string, unknown>>;
  },
): void {
  const items = isRecord(answer) && Array.isArray(answer.items) ? answer.items : null;
  const lines =
    isList(name) && items !== null
      ? [...listLines(name, items, { terminal, given }), ...nextPageLines(answer)]
      : answerLines(name, answer, terminal);
  // CSV contains the items only, without the cursor of the next page.
  const value = options.csv === true && items !== null ? items : answer;
  printResult(terminal, options, { value, lines });
  if (name === "audit.verify" && isRecord(answer) && answer.broken !== null) {
    throw new EndWith(EXIT.refused);
  }
}

function nextPageLines(page: unknown): readonly string[] {
  const next = isRecord(page) ? page.next : null;
  return typeof next === "string" ? [`More with --after ${next}`] : [];
}

async function allItems(page: unknown): Promise<readonly unknown[]> {
  if (!isIterable(page)) return [];
  const items: unknown[] = [];
  for await (const item of page) items.push(item);
  return items;
}

/** The ids and the fields that were typed. A field that was left out is not sent. */
function readTyped(
  command: Command,
  name: OperatorCallName,
  fields: readonly CallField[],
): { readonly ids: readonly string[]; readonly given: Readonly<Record<string, unknown>> } {
  const ids: string[] = [];
  const given: Record<string, unknown> = {};
  const words = [...command.args];
  for (const field of fields) {
    if (field.typed.startsWith("<")) {
      const word = words.shift() ?? "";
      if (field.location === "id") ids.push(word);
      else given[field.name] = typedValue(name, field, word);
      continue;
    }
    const word = field.typed.replace(NEGATION, "");
    const option = command.options.find(({ long }) => long?.replace(NEGATION, "") === word);
    const attribute = option?.attributeName() ?? "";
    const value: unknown = command.getOptionValue(attribute);
    const source = command.getOptionValueSource(attribute);
    if (value === undefined || (isFlag(field) && source !== "cli")) continue;
    const text: unknown = Array.isArray(value) ? value.join(",") : value;
    given[field.name] = typeof text === "string" ? typedValue(name, field, text) : text;
  }
  return { ids, given };
}

async function runBulk(
  caller: OperatorCaller,
  what: {
    readonly name: BulkCall;
    readonly terminal: Terminal;
    readonly options: Options;
    readonly query: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { name, terminal, options, query } = what;
  const path = options.file ?? "";
  const text = await readTextFile(path, "file of rows");
  const files: Readonly<Record<string, BulkFile<BulkCall>>> = {
    ".csv": { csv: text },
    ".ndjson": { ndjson: text },
  };
  const file = files[extname(path)];
  if (file === undefined) throw usageError(`--file: ${path} is neither a .csv nor a .ndjson file`);
  const answer = await caller(name, [file, query]);
  let [done, refused] = [0, 0];
  for await (const line of isIterable(answer) ? answer : []) {
    const isDone = isRecord(line) && line.status === 200;
    if (isDone) done += 1;
    else refused += 1;
    const shown = bulkLine(line, options.json === true);
    if (shown !== null) terminal.out(`${shown}\n`);
  }
  const rows = `${done} ${done === 1 ? "row" : "rows"} ${"dryRun" in query ? "would be done" : "done"}`;
  if (options.json !== true) terminal.out(`${rows}, ${refused} refused\n`);
  if (refused > 0) throw new EndWith(EXIT.refused);
}
