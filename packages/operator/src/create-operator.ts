import {
  type BulkCall,
  isBulkCall,
  isOperatorCall,
  isRecord,
  LIST_FILE_TYPES,
  OPERATOR_CALLS,
  OPERATOR_FILES,
  type OperatorCall,
  type OperatorCallName,
} from "@propgate/contract";
import { InvalidSettingError } from "@propgate/sdk";
import { type BulkFile, bulkBody, sendBulk } from "./bulk-file.ts";
import { fileOf } from "./operator-file.ts";
import type { OperatorMethod } from "./operator-methods.ts";
import {
  type CallOptions,
  connectionOf,
  type OperatorConnection,
  type OperatorSettings,
} from "./operator-settings.ts";
import { pageOf } from "./page.ts";
import { queryText } from "./query-text.ts";
import { type OutgoingCall, sendForFile, sendForJson } from "./send.ts";

/** The part of a call's name before its dot: `accounts` of `accounts.list`. */
type Group = OperatorCallName extends infer Name
  ? Name extends `${infer First}.${string}`
    ? First
    : never
  : never;

/**
 * A client with a method for each call, by the call's name: `operator.accounts.list({ status: "active" })`,
 * `operator.health()`. The arguments are the ids of the path, the fields of the body or the query, then CallOptions. A
 * method returns `data`, a page, a file or the rows of a bulk. It throws OperatorError for a refusal, UnreachableError
 * without an answer, UnexpectedAnswerError, or AbortedError.
 */
export type Operator = {
  readonly [First in Group]: {
    readonly [Name in OperatorCallName as Name extends `${First}.${infer Verb}`
      ? Verb
      : never]: OperatorMethod<Name>;
  };
} & {
  readonly [Name in Exclude<OperatorCallName, `${string}.${string}`>]: OperatorMethod<Name>;
};

/** Makes a call by its name, with the arguments of its method. Throws like that method. */
export type OperatorCaller = (
  name: OperatorCallName,
  given: readonly unknown[],
) => Promise<unknown>;

/**
 * Creates a client for code that knows a call's name only at run time. Throws InvalidSettingError for invalid settings.
 */
export function createCaller(settings: OperatorSettings): OperatorCaller {
  const connection = connectionOf(settings);
  return (name, given) => invoke(connection, name, given);
}

/**
 * Creates a client of the operator's interface. The client keeps no state. Throws InvalidSettingError for invalid
 * settings.
 */
export function createOperator(settings: OperatorSettings): Operator {
  const caller = createCaller(settings);
  const operator: Record<string, unknown> = {};
  for (const name of Object.keys(OPERATOR_CALLS).filter(isOperatorCall)) {
    const [first = "", verb] = name.split(".");
    const method = (...given: readonly unknown[]): Promise<unknown> => caller(name, given);
    const group = operator[first];
    if (verb === undefined) operator[first] = method;
    else operator[first] = { ...(isRecord(group) ? group : {}), [verb]: method };
  }
  // The type and this loop are made from the same table, which TypeScript cannot see.
  return operator as Operator;
}

/** Makes a call with the arguments of its method: the ids, the fields or the file, and the options. */
async function invoke(
  connection: OperatorConnection,
  name: OperatorCallName,
  given: readonly unknown[],
): Promise<unknown> {
  const { path }: OperatorCall = OPERATOR_CALLS[name];
  const ids = path.split("/").filter((word) => word.startsWith(":")).length;
  const [first, second, third] = given.slice(ids);
  const target = pathWith(name, given.slice(0, ids));
  if (isBulkCall(name)) {
    const { dryRun } = recordOf(second);
    const query = queryText({ dryRun: dryRun === true ? 1 : undefined });
    const { body, contentType } = bulkBody(first as BulkFile<BulkCall>);
    const call = { path: `${target}${query}`, body, contentType, keeps: dryRun !== true };
    return sendBulk(connection, outgoingCallOf(connection, name, call, recordOf(third)));
  }
  return sendArguments(connection, name, {
    target,
    given: first,
    options: recordOf(second),
  });
}

async function sendArguments(
  connection: OperatorConnection,
  name: OperatorCallName,
  what: { readonly target: string; readonly given: unknown; readonly options: CallOptions },
): Promise<unknown> {
  const { target, given, options } = what;
  const fields = recordOf(given);
  const { method, repeats }: OperatorCall = OPERATOR_CALLS[name];
  const hasBody = method === "POST" || method === "PATCH";
  const outgoing = (query: Fields): OutgoingCall =>
    outgoingCallOf(
      connection,
      name,
      {
        path: hasBody ? target : `${target}${queryText(query)}`,
        body: hasBody ? JSON.stringify(given ?? {}) : null,
        contentType: "application/json",
        keeps: repeats !== "nothing",
      },
      options,
    );
  const isFile = Object.hasOwn(OPERATOR_FILES, name) || (!hasBody && isFileFormat(fields.format));
  if (isFile) {
    return fileOf(connection, await sendForFile(connection, outgoing(fields)), options);
  }
  const read = (query: Fields) => sendForJson(connection, outgoing(query));
  return pageOf(name, await read(fields), fields, read);
}

type Fields = Readonly<Record<string, unknown>>;

function outgoingCallOf(
  { newKey }: OperatorConnection,
  name: OperatorCallName,
  call: Pick<OutgoingCall, "path" | "body" | "contentType"> & { readonly keeps: boolean },
  options: CallOptions,
): OutgoingCall {
  const { keeps, ...rest } = call;
  const key = keeps ? (options.idempotencyKey ?? newKey()) : null;
  return { ...rest, method: OPERATOR_CALLS[name].method, key, options };
}

/**
 * The path of a call with its ids. A missing id, `.` or `..` would make it the path of another call, so they throw
 * InvalidSettingError.
 */
function pathWith(name: OperatorCallName, ids: readonly unknown[]): string {
  let position = 0;
  return OPERATOR_CALLS[name].path.replace(/:(\w+)/g, (_, parameter: string) => {
    const id = ids[position];
    position += 1;
    if (typeof id === "string" && !/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
    throw new InvalidSettingError(parameter, `of ${name} must be an id`);
  });
}

function isFileFormat(format: unknown): boolean {
  return typeof format === "string" && Object.hasOwn(LIST_FILE_TYPES, format);
}

function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
