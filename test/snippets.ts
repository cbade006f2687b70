/** The code blocks of the documentation, and checks of them that run nothing. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument, parseCancelAllAfter, parsePlaceOrder } from "@propgate/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import {
  commandLineProblems,
  commandLinesIn,
  npmScriptsIn,
  proofProblemsIn,
} from "./command-lines.ts";
import { filesBelow, ROOT, readText } from "./source-tree.ts";

/** A code block of a page of the documentation. */
export interface CodeBlock {
  readonly page: string;
  /** The number of the block's first line, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The `json` or `text` block directly after this one, which is its output; null when there is none. */
  readonly prints: { readonly language: string; readonly code: string } | null;
}

/** The languages of blocks that a reader may paste. Each such block is run or checked. */
export const CHECKED_LANGUAGES = [
  "sh",
  "bash",
  "ts",
  "typescript",
  "js",
  "python",
  "json",
] as const;

/** The paths of the README files and of all pages below `docs`. */
export function pagesWithSnippets(): readonly string[] {
  return ["README.md", "examples/README.md", ...filesBelow("docs")].filter((path) =>
    path.endsWith(".md"),
  );
}

/**
 * A text by which a block of settings for another program is recognized. Such a block is not the output of the block
 * before it.
 */
const SETTINGS_OF_OTHERS = '"mcpServers"';
const FENCE = /^```([\w-]*)[^\n]*\n([\s\S]*?)^```$/gm;

/** The code blocks of a page, in their order. */
export function codeBlocksOf(page: string): readonly CodeBlock[] {
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

/**
 * The problems of a block of shell lines. Each command must be one of this repository, an installation of its packages
 * or of ccxt, or a program of PostgreSQL.
 */
export function shellProblems(code: string): readonly string[] {
  return logicalLines(code).flatMap((line) =>
    line.split(/ && | \| /).flatMap((part) => problemsOfCommand(withoutSettings(part))),
  );
}

/** The commands of a block, one for each item, without comments. Continued lines are joined. */
export function logicalLines(code: string): readonly string[] {
  return code
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
}

/**
 * A command without `export`, without the variables before it, and without its redirections. For `source <(…)` it is
 * the command in the brackets.
 */
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
/** The packages that `npm install` may name: those that this repository publishes. */
const PUBLISHED_PACKAGES: ReadonlySet<string> = new Set(
  filesBelow("packages")
    .filter((path) => /^packages\/[a-z]+\/package\.json$/.test(path))
    .map((path) => String(JSON.parse(readText(path)).name)),
);
/** The package of ccxt, which `npm install` may name too, because bots on ccxt use it. */
const CCXT_PACKAGE = "ccxt";
/** Matches PostgreSQL's own programs, which its documentation describes. */
const POSTGRES_COMMAND = /^(createdb|psql|pg_dump) /;

/** The package in a file that `npm pack` wrote; null for other files. */
function packedName(word: string): string | null {
  const [, name] = /^\.\/propgate-([a-z]+)-\d+\.\d+\.\d+\.tgz$/.exec(word) ?? [];
  return name === undefined ? null : `@propgate/${name}`;
}

/**
 * Whether a command runs TypeScript with the machine's own `node`, which may be too old for it. `npx node` runs the
 * Node of the installed packages instead.
 */
export function runsOlderNode(command: string): boolean {
  return /(?<!npx )(?<![\w./-])node (?:-\S+ )*[^\s-]\S*\.ts\b/.test(command);
}

function problemsOfCommand(command: string): readonly string[] {
  if (command === "" || command === "npm ci" || POSTGRES_COMMAND.test(command)) return [];
  const [, installed] = /^npm (?:install|i|pack) (?:-\S+ )*(\S.*)$/.exec(command) ?? [];
  if (installed !== undefined) {
    const names = installed
      .split(" ")
      .filter((word) => word !== "-w")
      .map((one) => packedName(one) ?? one.replace(/(?<=.)@.*$/, ""));
    return names
      .filter((name) => !PUBLISHED_PACKAGES.has(name) && name !== CCXT_PACKAGE)
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
    ...lines.flatMap(commandLineProblems),
  ];
}

/**
 * The problem of a JSON block. Null when the block is a valid order, a valid body of the dead man's switch, an event,
 * an answer, or settings of a program that start one of this repository's commands.
 */
export function jsonProblem(code: string): string | null {
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

/** An answer that lists only this event. */
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
  return lines.flatMap(shellProblems)[0] ?? null;
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

/** The program of a block. A block that uses a client and creates none gets one with the reader's key. */
export function snippetProgram({ code }: CodeBlock): string {
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

/** Whether a block is exactly a file of `examples`, which has its own test. */
export function isTestedProgram({ code }: CodeBlock): boolean {
  return filesBelow("examples").some(
    (path) => readFileSync(join(ROOT, path), "utf8").trim() === code.trim(),
  );
}
