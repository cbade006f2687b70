/** The blocks of code in the documentation, and static checks of them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument, parseCancelAllAfter, parsePlaceOrder } from "@propgate/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { commandLinesIn, npmScriptsIn, problemsOf, proofProblemsIn } from "./command-lines.ts";
import { filesBelow, ROOT, readText } from "./source-tree.ts";

export interface Fence {
  readonly page: string;
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The `json` or `text` block directly after it, which is its output; null when there is none. */
  readonly prints: { readonly language: string; readonly code: string } | null;
}

/** Languages that a reader may paste: each block of one is run or checked. */
export const CHECKED = ["sh", "bash", "ts", "typescript", "js", "python", "json"] as const;

/** Every page with examples. */
export function pagesWithSnippets(): readonly string[] {
  return ["README.md", "examples/README.md", ...filesBelow("docs")].filter((path) =>
    path.endsWith(".md"),
  );
}

/** Blocks for third-party programs, which print nothing. */
const SETTINGS_OF_OTHERS = '"mcpServers"';
const FENCE = /^```([\w-]*)[^\n]*\n([\s\S]*?)^```$/gm;

export function fencesOf(page: string): readonly Fence[] {
  const text = readText(page);
  return [...text.matchAll(FENCE)].map((match) => {
    const [whole, language = "", code = ""] = match;
    const behind = /^\n\n```(json|text)\n([\s\S]*?)^```$/m.exec(
      text.slice(match.index + whole.length),
    );
    const isPrinted = behind?.index === 0 && !(behind[2] ?? "").includes(SETTINGS_OF_OTHERS);
    const prints = isPrinted ? { language: behind[1] ?? "", code: behind[2] ?? "" } : null;
    const line = text.slice(0, match.index).split("\n").length;
    return { page, line, language, code, prints };
  });
}

/** The mistakes in a block of shell lines, each of which must be a command of this repository. */
export function problemsOfCommands(code: string): readonly string[] {
  return logicalLines(code).flatMap((line) =>
    line.split(/ && | \| /).flatMap((part) => problemsOfCommand(withoutSettings(part))),
  );
}

/** The commands of a block, one a line, without comments. */
export function logicalLines(code: string): readonly string[] {
  return code
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
}

/** Without the variables before a command and without its redirection. */
function withoutSettings(line: string): string {
  return line
    .replace(/^export\s+/, "")
    .replace(/^source <\((.*)\)$/, "$1")
    .replace(/^(?:[A-Z_]+=(?:'[^']*'|"[^"]*"|\S*)\s*)+/, "")
    .replace(/\s*2?>&?\s*\S+/g, "")
    .trim();
}

const SCRIPTS: ReadonlySet<string> = new Set(
  Object.keys(JSON.parse(readText("package.json")).scripts),
);
/** The packages that `npm install` may name: those published from this repository. */
const PUBLISHED: ReadonlySet<string> = new Set(
  filesBelow("packages")
    .filter((path) => /^packages\/[a-z]+\/package\.json$/.test(path))
    .map((path) => String(JSON.parse(readText(path)).name)),
);
/** Packages that bots on ccxt have installed already. */
const BROUGHT_ALONG = "ccxt";
/** PostgreSQL's own programs, which its documentation describes. */
const OF_POSTGRES = /^(createdb|psql|pg_dump) /;

/** The package that `npm pack` packed into this file; null for other files. */
function packedName(word: string): string | null {
  const [, name] = /^\.\/propgate-([a-z]+)-\d+\.\d+\.\d+\.tgz$/.exec(word) ?? [];
  return name === undefined ? null : `@propgate/${name}`;
}

/**
 * A machine's own `node` need not run TypeScript; `npx node` is the one of the installed packages.
 */
export function runsOlderNode(command: string): boolean {
  return /(?<!npx )(?<![\w./-])node (?:-\S+ )*[^\s-]\S*\.ts\b/.test(command);
}

function problemsOfCommand(command: string): readonly string[] {
  if (command === "" || command === "npm ci" || OF_POSTGRES.test(command)) return [];
  const [, installed] = /^npm (?:install|i|pack) (?:-\S+ )*(\S.*)$/.exec(command) ?? [];
  if (installed !== undefined) {
    const names = installed
      .split(" ")
      .filter((word) => word !== "-w")
      .map((one) => packedName(one) ?? one.replace(/(?<=.)@.*$/, ""));
    return names
      .filter((name) => !PUBLISHED.has(name) && name !== BROUGHT_ALONG)
      .map((name) => `no package ${name}`);
  }
  if (runsOlderNode(command)) return [`the reader's own node may be too old for ${command}`];
  const [, file] =
    /^(?:(?:npx )?node|sh|python3)(?: --\S+)* (\S+\.(?:ts|js|sh|py))\b/.exec(command) ?? [];
  if (file !== undefined) return existsSync(join(ROOT, file)) ? [] : [`no file ${file}`];
  const ours = command.replace(/^npx (?:-\S+ )*(?:@propgate\/cli|propgate)/, "propgate");
  const lines = commandLinesIn(ours);
  const scripts = npmScriptsIn(ours);
  if (lines.length === 0 && scripts.length === 0) return [`nothing checks ${command}`];
  return [
    ...scripts.filter((name) => !SCRIPTS.has(name)).map((name) => `no script ${name}`),
    ...proofProblemsIn(ours),
    ...lines.flatMap(problemsOf),
  ];
}

/**
 * Null when the block is a valid order, an answer, or a program's settings that start one of our
 * commands.
 */
export function problemOfJson(code: string): string | null {
  const value: unknown = JSON.parse(code);
  if (hasField(value, "trade")) {
    const parsed = parsePlaceOrder(value);
    if (!parsed.ok) return parsed.message;
    return parsed.ignoredFields.length === 0
      ? null
      : `nothing reads ${parsed.ignoredFields.join(", ")}`;
  }
  if (hasField(value, "seconds")) {
    const parsed = parseCancelAllAfter(value);
    return parsed.ok ? null : parsed.message;
  }
  if (hasField(value, "mcpServers")) return problemOfServers(value.mcpServers);
  if (hasField(value, "cursor")) {
    return isAnswer(pageOf(value)) ? null : "not an event of the contract";
  }
  return isAnswer(value) ? null : "neither an order nor an answer of the contract";
}

/** The answer that lists this event alone. */
function pageOf(event: { readonly cursor: unknown }): unknown {
  const head = { sequence: 1, hash: "0".repeat(64) };
  return { success: true, data: { items: [event], next: event.cursor, head } };
}

function hasField<Name extends string>(
  value: unknown,
  name: Name,
): value is Readonly<Record<Name, unknown>> {
  return typeof value === "object" && value !== null && name in value;
}

function problemOfServers(servers: unknown): string | null {
  const lines = Object.values(servers ?? {}).map((one: unknown) => {
    const { command, args } = one as { command?: unknown; args?: unknown };
    return [command, ...(Array.isArray(args) ? args : [])].join(" ");
  });
  return lines.flatMap(problemsOfCommands)[0] ?? null;
}

const ANSWERS = answerSchemas();

/** Whether an endpoint of the contract may give this answer. */
function isAnswer(value: unknown): boolean {
  return ANSWERS.some((validate) => validate(value));
}

function answerSchemas(): readonly ((value: unknown) => boolean)[] {
  const document = JSON.parse(
    JSON.stringify(
      openApiDocument({
        brand: "Service",
        networkName: "Propgate",
        baseUrl: null,
        hasLinked: false,
      }),
    ),
  ) as {
    paths: Record<string, Record<string, { responses: Record<string, AnswerOf> }>>;
    components: object;
  };
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv, ["date", "uuid", "int64"]);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return operations
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => content?.["application/json"]?.schema ?? [])
    .map((schema) => ajv.compile({ ...schema, components: document.components }));
}

interface AnswerOf {
  readonly content?: { readonly "application/json"?: { readonly schema?: object } };
}

/** A block that creates no client gets one with the reader's key. */
export function programOf({ code }: Fence): string {
  const isWhole = !/\bclient\b/.test(code) || /\bclient = /.test(code);
  return isWhole ? code : `${CLIENT}\n${code}`;
}

const CLIENT = [
  'import { createClient } from "@propgate/sdk";',
  "const client = createClient({",
  '  baseUrl: process.env.PROPGATE_BASE_URL ?? "",',
  '  keyId: process.env.PROPGATE_KEY_ID ?? "",',
  '  secret: process.env.PROPGATE_SECRET ?? "",',
  "});",
].join("\n");

/** The words of a file that a page quotes; a page may show a program that has its own test. */
export function isTestedProgram({ code }: Fence): boolean {
  return filesBelow("examples").some(
    (path) => readFileSync(join(ROOT, path), "utf8").trim() === code.trim(),
  );
}
