import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { DEFAULT_BASE_URL } from "./base-url.ts";
import { CliError, EXIT, usageError } from "./cli-error.ts";
import { isRecord } from "./render/record.ts";
import type { Terminal } from "./terminal.ts";

/** Where the service is and what lets the operator in. */
export interface OperatorOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** The options of every command that talks to a running service as its operator. */
export function operatorOptions(command: Command): Command {
  return command
    .option("--url <url>", `the running service (PROPGATE_BASE_URL, or ${DEFAULT_BASE_URL})`)
    .option("--token-file <path>", "file with the operator token")
    .addOption(
      new Option("--data, --data-dir <dir>", "its data folder, for the token (PROPGATE_DATA_DIR)"),
    );
}

export interface OperatorCall {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below /operator/v1. */
  readonly path: string;
  readonly body?: unknown;
}

export type CallOperator = (call: OperatorCall) => Promise<unknown>;

const TIMEOUT_MS = 120_000;

/** Calls the operator's interface of a running service. The database is never opened from here. */
export async function connectOperator(
  terminal: Terminal,
  options: OperatorOptions,
): Promise<CallOperator> {
  const service = await findService(terminal, options);
  return async (call) => {
    const response = await send(service, call, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return readAnswer(response, service.url);
  };
}

/** The bytes of a file that the service makes, as they come; it may take as long as it takes. */
export async function fetchFromOperator(
  terminal: Terminal,
  options: OperatorOptions,
  call: OperatorCall,
): Promise<AsyncIterable<Uint8Array>> {
  const service = await findService(terminal, options);
  const response = await send(service, call, {});
  const { body } = response;
  const isFile = response.headers.get("content-type") === "application/gzip";
  if (response.status === 200 && isFile && body !== null) return untilCut(service.url, body);
  await readAnswer(response, service.url);
  throw notOurs(service.url, response.status);
}

async function* untilCut(url: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new CliError(
      {
        message: `${url} stopped in the middle of its answer`,
        fix: "Its log has the cause. Try again when it is well.",
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
  const base = options.url ?? terminal.env.PROPGATE_BASE_URL ?? defaultUrl(terminal);
  const url = readUrl(base);
  return { url, token: await readToken(terminal, options) };
}

function send(
  { url, token }: Service,
  { method, path, body }: OperatorCall,
  limits: Pick<RequestInit, "signal">,
): Promise<Response> {
  return fetch(`${url}/operator/v1${path}`, {
    method,
    redirect: "error",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...limits,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw unreachable(url, cause);
  });
}

function defaultUrl(terminal: Terminal): string {
  const port = terminal.env.PROPGATE_PORT;
  return port === undefined ? DEFAULT_BASE_URL : `http://127.0.0.1:${port}`;
}

function readUrl(text: string): string {
  if (!/^https?:\/\/[^/]+/.test(text) || !URL.canParse(text)) {
    throw usageError(`--url is no http or https URL: ${text}`, `Such as ${DEFAULT_BASE_URL}`);
  }
  return text.replace(/\/+$/, "");
}

async function readToken(terminal: Terminal, options: OperatorOptions): Promise<string> {
  if (options.tokenFile === undefined) {
    const given = terminal.env.PROPGATE_OPERATOR_TOKEN;
    if (given !== undefined && given !== "") return given;
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

async function readAnswer(response: Response, url: string): Promise<unknown> {
  const text = await response.text();
  const answer = parseObject(text);
  if (response.status === 200 && answer?.success === true) return answer.data;
  const error = answer?.error;
  if (typeof error !== "string") throw notOurs(url, response.status);
  throw new CliError({
    message: error,
    fix: response.status === 401 ? WRONG_TOKEN : null,
    exitCode: exitCodeOf(response.status),
  });
}

function notOurs(url: string, status: number): CliError {
  return new CliError({
    message: `${url} answered ${status}, and not as a Propgate service does`,
    fix: "Check --url: is it the service's own address?",
    exitCode: EXIT.unreachable,
  });
}

const WRONG_TOKEN =
  "The token is not this service's. Name its data folder with --data, or set PROPGATE_OPERATOR_TOKEN.";

function exitCodeOf(status: number): CliError["problem"]["exitCode"] {
  if (status === 401) return EXIT.notAllowed;
  if (status === 400) return EXIT.usage;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}

function unreachable(url: string, cause: unknown): CliError {
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

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Everything behind a path that answers page by page; the path has a query already. */
export async function everyPage(call: CallOperator, path: string): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let next = "";
  do {
    const query: string = next === "" ? "" : `&after=${encodeURIComponent(next)}`;
    const page = await call({ method: "GET", path: `${path}${query}` });
    if (!isRecord(page)) break;
    if (Array.isArray(page.items)) items.push(...page.items);
    next = typeof page.next === "string" ? page.next : "";
  } while (next !== "");
  return items;
}

/** The field as text for a table; `-` where there is none. */
export function cell(row: unknown, field: string): string {
  const value = isRecord(row) ? row[field] : null;
  if (value === null || value === undefined || value === "") return "-";
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A time in milliseconds as `2026-01-31 12:00:00Z`; `-` where there is none. */
export function timeCell(row: unknown, field: string): string {
  const value = isRecord(row) ? row[field] : null;
  if (typeof value !== "number") return "-";
  return new Date(value)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}
