import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AnsweringCall,
  conforms,
  type FileCall,
  isRecord,
  OPERATOR_ANSWERS,
  type OperatorAnswer,
  type OperatorBody,
  type OperatorCallName,
  type OperatorPage,
  type OperatorTarget,
  schemaProblemOf,
} from "@propgate/contract";
import {
  createCaller,
  type OperatorCaller,
  OperatorError,
  type OperatorFile,
  UnexpectedAnswerError,
  UnreachableError,
} from "@propgate/operator";
import { type Command, Option } from "commander";
import { DEFAULT_BASE_URL } from "./base-url.ts";
import { CliError, EXIT, usageError } from "./cli-error.ts";
import { typedError } from "./operator/call-fields.ts";
import { readSecretSetting } from "./secrets/secret-setting.ts";
import type { Terminal } from "./terminal.ts";

/**
 * The options of a command that calls the operator's interface: the service's address, where the token is, and the form
 * of the output.
 */
export interface OperatorOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** Adds the options of every command that calls a running service as its operator. */
export function addOperatorOptions(command: Command): Command {
  return command
    .option(
      "--url <url>",
      `its operator's listener (PROPGATE_OPERATOR_LISTEN, PROPGATE_BASE_URL, or ${DEFAULT_BASE_URL})`,
    )
    .option("--token-file <path>", "file with the operator token")
    .addOption(
      new Option("--data, --data-dir <dir>", "its data folder, for the token (PROPGATE_DATA_DIR)"),
    );
}

/** Makes a call of the operator's interface and checks its answer against the contract. */
export type CallOperator = <Name extends AnsweringCall>(
  name: Name,
  given?: OperatorTarget<Name> & { readonly body?: OperatorBody<Name> },
) => Promise<OperatorAnswer<Name>>;

const TIMEOUT_MS = 120_000;

/** A function that calls the operator's interface of a running service. It never opens the database. */
export async function connectOperator(
  terminal: Terminal,
  options: OperatorOptions,
): Promise<CallOperator> {
  return withCheckedAnswers(await createOperatorCaller(terminal, options));
}

/** The caller with types for every call. An answer that differs from its schema is an error. */
export function withCheckedAnswers(caller: OperatorCaller): CallOperator {
  return async (name, { id, body, query } = {}) => {
    const answer = await caller(name, [...(id === undefined ? [] : [id]), body ?? query ?? {}]);
    const schema = OPERATOR_ANSWERS[name];
    if (conforms(schema, answer)) return answer;
    throw unexpectedAnswerError(schemaProblemOf(schema.json, answer, "answer") ?? "");
  };
}

/** A function that calls the operator's interface. Its failures are thrown as `CliError`. */
export async function createOperatorCaller(
  terminal: Terminal,
  options: OperatorOptions,
): Promise<OperatorCaller> {
  const { url, token } = await findService(terminal, options);
  const caller = createCaller({ baseUrl: url, token, timeoutMs: TIMEOUT_MS });
  return async (name, given) => {
    try {
      const answer = await caller(name, given);
      if (isFile(answer)) return { ...answer, content: withCutAsCliError(url, answer.content) };
      const further = (items: AsyncIterable<unknown>) => checkedItems(items, { name, url });
      return isIterable(answer)
        ? { ...answer, [Symbol.asyncIterator]: () => further(answer) }
        : answer;
    } catch (error) {
      throw failureOf(error, { name, url });
    }
  };
}

/**
 * The items of a page and of all pages after it, or the lines of a bulk's answer. A failure of a later page is thrown
 * as `CliError`.
 */
async function* checkedItems(
  items: AsyncIterable<unknown>,
  where: { readonly name: OperatorCallName; readonly url: string },
): AsyncGenerator<unknown> {
  try {
    yield* items;
  } catch (error) {
    throw failureOf(error, where);
  }
}

/** True for an answer that is a page or the lines of a bulk. */
export function isIterable(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
}

/** True for an answer that is a file. */
export function isFile(answer: unknown): answer is OperatorFile {
  return isRecord(answer) && "contentType" in answer && "content" in answer;
}

/** Makes a call that answers a file, and returns the file. */
export async function fetchFromOperator<Name extends FileCall>(
  terminal: Terminal,
  options: OperatorOptions,
  {
    name,
    target,
    body,
  }: {
    readonly name: Name;
    readonly target?: OperatorTarget<Name>;
    /** The body of a POST. */
    readonly body?: OperatorBody<Name>;
  },
): Promise<AsyncIterable<Uint8Array>> {
  const caller = await createOperatorCaller(terminal, options);
  const { id, query } = target ?? {};
  const file = await caller(name, [...(id === undefined ? [] : [id]), body ?? query ?? {}]);
  if (isFile(file)) return file.content;
  throw unexpectedAnswerError("no file");
}

async function* withCutAsCliError(
  url: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new CliError(
      {
        message: `${url} stopped during its answer`,
        fix: "The service's log has the cause. Try again later.",
        exitCode: EXIT.unreachable,
      },
      { cause },
    );
  }
}

interface Service {
  readonly url: string;
  readonly token: string;
}

async function findService(terminal: Terminal, options: OperatorOptions): Promise<Service> {
  const base =
    options.url ??
    operatorListener(terminal) ??
    terminal.env.PROPGATE_BASE_URL ??
    defaultUrl(terminal);
  const url = readUrl(base);
  return { url, token: await readToken(terminal, options) };
}

/**
 * The operator's listener that PROPGATE_OPERATOR_LISTEN names; null when it is not set. A listener on all addresses of
 * the machine is called at its loopback address.
 */
function operatorListener({ env }: Terminal): string | null {
  const listen = env.PROPGATE_OPERATOR_LISTEN;
  if (listen === undefined || listen === "") return null;
  return `http://${listen.replace(/^0\.0\.0\.0(?=:)/, "127.0.0.1").replace(/^\[::\](?=:)/, "[::1]")}`;
}

function defaultUrl(terminal: Terminal): string {
  const port = terminal.env.PROPGATE_PORT;
  return port === undefined ? DEFAULT_BASE_URL : `http://127.0.0.1:${port}`;
}

function readUrl(text: string): string {
  if (!/^https?:\/\/[^/]+/.test(text) || !URL.canParse(text)) {
    throw usageError(`--url is not an http or https URL: ${text}`, `Such as ${DEFAULT_BASE_URL}`);
  }
  return text.replace(/\/+$/, "");
}

async function readToken(terminal: Terminal, options: OperatorOptions): Promise<string> {
  if (options.tokenFile === undefined) {
    const given = await readSecretSetting(terminal, "PROPGATE_OPERATOR_TOKEN");
    if (given !== null) return given;
  }
  const dataDir = options.dataDir ?? terminal.env.PROPGATE_DATA_DIR ?? "data";
  const file = options.tokenFile ?? join(dataDir, "operator.token");
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError({
      message: `no operator token: ${reason}`,
      fix:
        "Set PROPGATE_OPERATOR_TOKEN, or name the service's data folder with --data, " +
        "or the file with --token-file.",
      exitCode: EXIT.notAllowed,
    });
  }
}

/** The error of a command for a failed call, with its remedy. Any other error is returned unchanged. */
function failureOf(
  error: unknown,
  { name, url }: { readonly name: OperatorCallName; readonly url: string },
): unknown {
  if (error instanceof OperatorError) {
    const { status, refusal } = error;
    return new CliError({
      message: typedError(name, refusal),
      field: refusal.field,
      fix: status === 401 ? WRONG_TOKEN : refusal.error === "Not found" ? OTHER_LISTENER : null,
      exitCode: exitCodeOf(status),
    });
  }
  if (error instanceof UnexpectedAnswerError) return notPropgateError(url, error);
  return error instanceof UnreachableError ? unreachableError(url, error.cause) : error;
}

function unexpectedAnswerError(problem: string): CliError {
  return new CliError({
    message: `the service's answer has an unexpected shape: ${problem}`,
    fix: "Use the command of the same version as the service.",
    exitCode: EXIT.unreachable,
  });
}

function notPropgateError(
  url: string,
  { status, isTemporary, message }: UnexpectedAnswerError,
): CliError {
  return new CliError({
    message: isTemporary
      ? `no answer of the service at ${url}: ${message}`
      : `${url} answered ${status} and is not a Propgate service`,
    fix: isTemporary ? "Try again later." : "Check --url: is it the service's own address?",
    exitCode: EXIT.unreachable,
  });
}

const WRONG_TOKEN =
  "The token belongs to another service. Name the data folder with --data, or set PROPGATE_OPERATOR_TOKEN.";

/** The remedy for a listener that answers without having the operator's interface. */
const OTHER_LISTENER =
  "Does the operator's interface have a listener of its own? Name it with --url or PROPGATE_OPERATOR_LISTEN.";

function exitCodeOf(status: number): CliError["problem"]["exitCode"] {
  if (status === 401) return EXIT.notAllowed;
  if (status === 400) return EXIT.usage;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}

function unreachableError(url: string, cause: unknown): CliError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = inner instanceof Error ? inner.message : String(inner);
  return new CliError(
    {
      message: `no answer from ${url}: ${reason}`,
      fix: "Is it running? Start it with: propgate serve. Elsewhere? Name it with --url.",
      exitCode: EXIT.unreachable,
    },
    { cause },
  );
}

/** Reads every page of a list and returns all items. */
export async function readEveryPage<Item>(
  read: (page: { readonly limit: string; readonly after?: string }) => Promise<OperatorPage<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let next: string | null = null;
  do {
    const after: { readonly after?: string } = next === null ? {} : { after: next };
    const page: OperatorPage<Item> = await read({ limit: PAGE, ...after });
    items.push(...page.items);
    next = page.next;
  } while (next !== null);
  return items;
}

const PAGE = "500";

/** A value as the cell of a table; `-` for an empty value or null. */
export function cellText(value: string | number | readonly string[] | null): string {
  const text = typeof value === "object" ? (value ?? []).join(",") : String(value);
  return text === "" ? "-" : text;
}

/** A time in milliseconds as `2026-01-31 12:00:00Z`; `-` for null. */
export function timeCell(atMs: number | null): string {
  if (atMs === null) return "-";
  return new Date(atMs)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}
