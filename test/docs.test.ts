import { existsSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { SETTINGS } from "../packages/base/src/config.ts";
import { EXIT } from "../packages/cli/src/cli-error.ts";
import {
  ACCOUNT_FILTERS,
  isRecord,
  type JsonSchema,
  OPERATOR_CALLS,
  OPERATOR_LISTS,
  type OperatorCall,
  queryParametersOf,
  type Schema,
} from "../packages/contract/src/index.ts";
import { REQUIRED_OPERATOR_PARAMETERS } from "../packages/contract/src/operator/queries.ts";
import { OPERATOR_BODIES } from "../packages/contract/src/operator/shapes.ts";
import { referencePages } from "../tools/reference-pages.ts";
import {
  commandLineProblems,
  commandLinesIn,
  isSomeOption,
  npmScriptsIn,
  proofProblemsIn,
} from "./command-lines.ts";
import { runsOlderNode } from "./snippets.ts";
import { filesBelow, productSources, ROOMS, ROOT, readText } from "./source-tree.ts";

describe("generated reference", () => {
  test.each(referencePages())("$path matches the code: otherwise run `npm run docs`", (page) => {
    expect(readText(page.path)).toBe(page.content);
  });

  test("every fixture and every reference page is generated", () => {
    const generated = referencePages()
      .map((page) => page.path)
      .filter((path) => !path.startsWith("docs/guides/") && !path.startsWith("bench/"));
    const there = ["packages/contract/fixtures", "packages/sdk/src/described", "docs/reference"]
      .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
      .filter((path) => !path.endsWith("/signature-vectors.json"));
    expect(there.toSorted()).toEqual(generated.toSorted());
  });
});

const PAGES = filesBelow("").filter((path) => path.endsWith(".md"));
const STORY_PAGES = [
  "docs/domain/execution.md",
  "docs/domain/drawdown.md",
  "docs/domain/evaluation.md",
  "docs/domain/payouts.md",
  "docs/domain/pro-track.md",
] as const;
/** Matches a link to a story and the block behind it: the story's name, and the lines that the block quotes from it. */
const STORY_QUOTE = /\/scenarios\/([\w-]+\.txt)\)[^`[]*\n\n```text\n([\s\S]*?)```/g;
/** The pages that are written here. The specification is given and describes the interface only; it is not edited. */
const OWN_PAGES = PAGES.filter((path) => path !== "docs/spec/specification.md");
/** Every variable that a program of this repository reads. */
const VARIABLES = readVariables();
const scripts: ReadonlyMap<string, string> = new Map(
  Object.entries(JSON.parse(readText("package.json")).scripts),
);

describe("the documentation", () => {
  test("the documentation has documents to check", () => {
    expect(PAGES).toContain("README.md");
    expect(PAGES.length).toBeGreaterThan(25);
  });

  test.each(PAGES)("%s: every relative link resolves", (path) => {
    const targets = [...readText(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = ""]) => to);
    const relative = targets.filter((to) => !/^(https?:|mailto:|#)/.test(to));
    const dead = relative.filter(
      (to) => !existsSync(join(ROOT, dirname(path), to.replace(/#.*$/, ""))),
    );
    expect(dead).toEqual([]);
  });

  test.each(OWN_PAGES)("%s: every path exists", (path) => {
    expect(codeOf(path).flatMap(pathsIn).filter(isNowhere)).toEqual([]);
  });

  test.each(OWN_PAGES)("%s: every command is a command, with its options", (path) => {
    const wrong = codeOf(path).flatMap((code) => [
      ...npmScriptsIn(code)
        .filter((name) => !scripts.has(name))
        .map((name) => `no script ${name}: ${code}`),
      ...proofProblemsIn(code).map((what) => `${what}: ${code}`),
      ...commandLinesIn(code).flatMap((words) =>
        commandLineProblems(words).map((what) => `${what}: ${code}`),
      ),
      ...(/^--[a-z]/.test(code) && !isSomeOption(code.split(/[ =,.]/)[0] ?? "")
        ? [`no option ${code}`]
        : []),
    ]);
    expect(wrong).toEqual([]);
  });

  test.each(OWN_PAGES)("%s: no command runs TypeScript on the reader's own node", (path) => {
    expect(codeOf(path).filter(runsOlderNode)).toEqual([]);
  });

  test("docs/guides/cli.md lists every exit code of the command", () => {
    const listed = [...readText("docs/guides/cli.md").matchAll(/^\| (\d+) \| (.+) \|$/gm)];
    expect(listed.map(([, code]) => Number(code))).toEqual(Object.values(EXIT));
  });

  test("docs/guides/programs.md lists every call of the operator with its fields", () => {
    const listed = [
      ...readText("docs/guides/programs.md").matchAll(/^\| `([A-Z]+ \/.*?)` \| (.*?) ?\|/gm),
    ].map(([, call = "", fields = ""]) => [call, fields]);
    expect(listed).toEqual(operatorCalls());
  });

  test("CHANGELOG.md has no line twice", () => {
    const blocks = readText("CHANGELOG.md").split(/\n\s*\n/);
    const heads = blocks.map((block) => /^\*\*[^*]+\*\*/.exec(block)?.[0] ?? block);
    expect(heads.filter((head, index) => heads.indexOf(head) !== index)).toEqual([]);
  });

  test.each(OWN_PAGES)("%s: every PROPGATE_ variable is read somewhere", (path) => {
    const named = readText(path).match(/\bPROPGATE_[A-Z_]*[A-Z]\b/g) ?? [];
    expect([...new Set(named)].filter((name) => !VARIABLES.has(name))).toEqual([]);
  });

  test.each([
    [ROOMS, "## The rooms of the service"],
    [["core"], "## The folders of core"],
  ])("ARCHITECTURE.md names every folder of %s, and none that is not there", (names, heading) => {
    const [, section = ""] = readText("ARCHITECTURE.md").split(`${heading}\n`);
    const [table = ""] = section.split("\n## ");
    const named = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+?)\/?`/g)].map(([, path = ""]) => path),
    );
    // When several packages have their folders in one cell, each path begins with the name of its package.
    const begin = (name: string): string => (names.length === 1 ? "" : `${name}/src/`);
    const folders = names.flatMap((name) => {
      const source = `packages/${name}/src`;
      return [...new Set(filesBelow(source).map((path) => dirname(path)))]
        .map((path) => path.slice(source.length + 1))
        .filter((path) => path !== "")
        .map((path) => begin(name) + path);
    });
    const isNamed = (folder: string): boolean =>
      named.includes(folder) || named.includes(`${dirname(folder)}/*`);
    const isThere = (path: string): boolean =>
      folders.some((folder) => folder === path || folder.startsWith(path.replace(/\*$/, "")));
    expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  test("README.md gives no measured figure: bench/results.md and the references have those of the last run", () => {
    const text = readText("README.md").replaceAll(/```[\s\S]*?```/g, "");
    expect(text.match(/\d[\d.,]*\s?(?:ns|µs|ms|s|seconds|minutes|MB|bytes|\/s)\b/g) ?? []).toEqual(
      [],
    );
  });

  test("docs/reference/dependencies.md has no row twice", () => {
    const rows = [...readText("docs/reference/dependencies.md").matchAll(/^\| `\S+` \| \S+/gm)].map(
      ([row]) => row,
    );
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
  });

  test("README.md has two commands, and CI runs the second of them word for word", () => {
    const blocks = [...readText("README.md").matchAll(/```sh\n(.*)\n```/g)].map(([, one]) => one);
    expect(blocks.slice(0, 2)).toEqual(["npm ci && npm start", "npm ci && npm run check"]);
    expect(readText(".ci/run")).toContain("\n(npm ci && npm run check) 2>&1 | ");
    expect([scripts.get("start"), scripts.get("check")]).not.toContain(undefined);
  });

  test("every file that a script of package.json names exists", () => {
    const files = [...scripts.values()].flatMap((text) => text.match(/\S+\.ts\b/g) ?? []);
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test.each(STORY_PAGES)("%s: every quoted line is in the story it names", (path) => {
    const page = readText(path);
    const quoted = [...page.matchAll(STORY_QUOTE)];
    expect(quoted).toHaveLength(page.split("```text\n").length - 1);
    expect(quoted.length).toBeGreaterThan(0);
    const invented = quoted.flatMap(([, name = "", lines = ""]) => {
      const storyLines = new Set(readText(`packages/core/src/scenarios/${name}`).split("\n"));
      return lines
        .trimEnd()
        .split("\n")
        .filter((line) => !storyLines.has(line));
    });
    expect(invented).toEqual([]);
  });

  test("no document has a placeholder", () => {
    const holes = OWN_PAGES.filter((path) =>
      /\b(TODO|TBD|FIXME|[A-Z]+_TABLE)\b/.test(readText(path)),
    );
    expect(holes).toEqual([]);
  });
});

/** Each call of the operator as a row: method and path, then the fields of its body or query. */
function operatorCalls(): readonly (readonly string[])[] {
  return Object.entries<OperatorCall>(OPERATOR_CALLS).map(([name, { method, path }]) => [
    `${method} ${path}`,
    fieldsOf(name, queryParametersOf(name)),
  ]);
}

/**
 * The cell with the fields of a call. The parameters of a list follow from the fields of its items by one rule, so the
 * cell of a list only links to that rule. The filters of the accounts are not repeated either.
 */
function fieldsOf(name: string, query: readonly string[]): string {
  const bodies: Readonly<Record<string, Schema<unknown>>> = OPERATOR_BODIES;
  if (name in OPERATOR_LISTS) return "a [list](#lists)";
  if (bodies[name] !== undefined) return bodyFields(bodies[name].json);
  const filters: ReadonlySet<string> = new Set(ACCOUNT_FILTERS);
  const own = query.filter((parameter) => !filters.has(parameter));
  const required: Readonly<Record<string, readonly string[]>> = REQUIRED_OPERATOR_PARAMETERS;
  return query.length - own.length === filters.size
    ? `${namesCell(own, [])}, the filters of the accounts`
    : namesCell(query, required[name] ?? []);
}

function bodyFields({ properties, required, description }: JsonSchema): string {
  if (!isRecord(properties)) return String(description).toLowerCase().replace(".", "");
  return namesCell(Object.keys(properties), Array.isArray(required) ? required : []);
}

/**
 * The names as a cell: the required ones, a semicolon, and the others. Without a required name, the cell begins with
 * `optional:`.
 */
function namesCell(names: readonly string[], required: readonly unknown[]): string {
  const needed = names.filter((name) => required.includes(name));
  const optional = names.filter((name) => !required.includes(name));
  if (optional.length === 0) return quoted(needed);
  return needed.length === 0
    ? `optional: ${quoted(optional)}`
    : `${quoted(needed)}; ${quoted(optional)}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** The lines of all code blocks of a page, and its code spans. */
function codeOf(path: string): readonly string[] {
  const text = readText(path).replaceAll("\\\n", " ");
  const blocks = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const spans = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`]+)`/g)];
  return [...blocks.flatMap((block) => block.split("\n")), ...spans.map(([, span = ""]) => span)];
}

/** The words of the code that look like a file or, with a slash at the end, like a folder of this repository. */
function pathsIn(code: string): readonly string[] {
  // The path of an HTTP call is not a file.
  return code
    .replace(/^(?:GET|POST|PATCH|DELETE) \/\S*/, "")
    .split(/[\s"'():]+/)
    .filter((word) => /^[\w.@][\w.@/*-]*$/.test(word) && !word.startsWith("@"))
    .filter((word) => /\w\/$/.test(word) || /\/.*\.(ts|json|md|sql|sh|py|txt)$/.test(word));
}

/**
 * Whether a path exists nowhere. A path may be relative to the root, `docs`, `examples`, `packages` or a package's
 * `src`. With `/*` in a path, only the folder before it must exist.
 */
function isNowhere(path: string): boolean {
  const packages = readdirSync(join(ROOT, "packages"));
  const bases = [
    ROOT,
    join(ROOT, "docs"),
    join(ROOT, "examples"),
    join(ROOT, "packages"),
    ...packages.map((name) => join(ROOT, "packages", name, "src")),
  ];
  const exists = (one: string): boolean => bases.some((base) => existsSync(join(base, one)));
  const [folder = "", below] = path.split("/*");
  return !(below === undefined ? exists(normalize(path)) : exists(folder));
}

function readVariables(): ReadonlySet<string> {
  const readers = [
    ...productSources(),
    ...filesBelow("examples").filter((path) => !path.endsWith(".md")),
    ...["proofs", "test"].flatMap(filesBelow).filter((path) => path.endsWith(".ts")),
    ...filesBelow("packages").filter((path) => path.includes("/testing/")),
  ];
  const named = readers.flatMap((path) => readText(path).match(/\bPROPGATE_[A-Z_]*[A-Z]\b/g) ?? []);
  const files = Object.values(SETTINGS).flatMap(({ fileVariable }) => fileVariable ?? []);
  return new Set([...Object.values(SETTINGS).map(({ variable }) => variable), ...files, ...named]);
}
