import ts from "typescript";
import { filesBelow, readText } from "./source-tree.ts";

/** The title of a test, and its location as `path:line`. */
export interface TestTitle {
  readonly place: string;
  readonly text: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The first words of predicates whose subject would be in the `describe` around the test. */
const PREDICATES = words(`
  is are was were has have had does do did can could may might must cannot will would not still
  accepts adds allows announces applies arms asks becomes begins believes belongs brings carries cancels closes collects
  commits compares compiles computes contains continues covers decides deletes disables drains drops ends equals expires
  explains fails finds finishes follows gets gives goes halts happens hashes holds ignores keeps knows lacks leaves lets
  logs loses makes matches meets misses moves needs notices offers opens passes pays proves provisions publishes puts
  reaches rebuilds refuses rejects removes renders repeats replaces requires rests retries returns runs says seals sees
  sends serves sets settles shows signs starts stays stops stores subscribes survives suspends syncs takes tells throws
  trusts turns uses waits warns withdraws works writes
  bring come do give go keep know leave stay take`);
/** Verbs that are also plural nouns. Before an article or a number they begin a predicate. */
const VERBS_OR_NOUNS = words(
  "answers calls changes claims counts fills lists names prices prints quotes reads records reports times triggers",
);
const ARTICLE = /^(a|an|the|every|each|no|its|all|%[di]|\d.*)$/;
/** Words that refer to an earlier sentence. */
const REFERENCES = words("and but or nor that which whose who it they them its their");
const PREPOSITIONS = words(`
  above across after although as at because before behind below beside besides between beyond by during for from if in
  into of on over since through to under until upon when where while with within without`);
/** Verb forms without a regular ending. */
const IRREGULAR = words(`
  is are was were has have had does do did can could may might must cannot will would
  became began came come cost fell found gave got kept left lose lost made met paid put ran rose said sent sold stood
  took went won`);

/**
 * Why a title is not a sentence that is clear by itself. Null when it is one, or may be one: after a plural or "and"
 * any word may be the verb.
 */
export function titleProblem(title: string): string | null {
  const text = title.replace(/\s*\[[^\]]*\]/g, "");
  const all = text.split(/[\s:,;]+/).filter((word) => word !== "");
  const [first = "", second = ""] = all;
  if (REFERENCES.has(first)) return "begins with a reference";
  if (PREDICATES.has(first) || (VERBS_OR_NOUNS.has(first) && ARTICLE.test(second))) {
    return "begins with a verb";
  }
  if (PREPOSITIONS.has(first) && !text.includes(",")) return "begins with a preposition";
  return isPlaceholder(text) || mayHaveVerb(all, text) ? null : "has no verb";
}

/** Whether a title is only the first value of its row. */
function isPlaceholder(text: string): boolean {
  return /^(%s|\$\w+)$/.test(text);
}

function mayHaveVerb(all: readonly string[], text: string): boolean {
  const endsWithPredicate = /[^:]\s(%s|\$\w+)$/.test(text) && !PREPOSITIONS.has(all.at(-2) ?? "");
  return (
    endsWithPredicate ||
    all.some(
      (word, index) =>
        word === "and" ||
        IRREGULAR.has(word) ||
        (/(ed|[^'su%]s)$/.test(word) && !PREPOSITIONS.has(all[index - 1] ?? "")),
    )
  );
}

/** The titles of all tests in the repository. */
export function readTitles(): readonly TestTitle[] {
  return ["packages", "proofs", "test"]
    .flatMap(filesBelow)
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => titlesIn(path, readText(path)));
}

/**
 * The titles of the tests in a source. For a title that is only a placeholder, these are the first values of the rows
 * that are written in `test.each([…])`.
 */
export function titlesIn(path: string, source: string): readonly TestTitle[] {
  if (!/\btest\b[\s\S]*? from "vitest"/.test(source)) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: TestTitle[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && rootOf(node.expression) === "test") {
      const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
      found.push(...titlesOf(node).map((text) => ({ place, text })));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function titlesOf({ expression, arguments: [title] }: ts.CallExpression): readonly string[] {
  const text = title === undefined ? null : textOf(title);
  if (text === null) return [];
  return isPlaceholder(text) ? rowsOf(expression) : [text];
}

/** The name at the beginning of a chain such as `test.skipIf(…).each(…)`. */
function rootOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  const isLink = ts.isPropertyAccessExpression(node) || ts.isCallExpression(node);
  return isLink ? rootOf(node.expression) : "";
}

function textOf(node: ts.Expression): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `%s${literal.text}`).join("");
}

function rowsOf(each: ts.Expression): readonly string[] {
  const table = ts.isCallExpression(each) ? each.arguments[0] : undefined;
  if (table === undefined || !ts.isArrayLiteralExpression(table)) return [];
  return table.elements.flatMap((row) => {
    const value = ts.isArrayLiteralExpression(row) ? row.elements[0] : row;
    const text = value === undefined ? null : textOf(value);
    return text === null ? [] : [text];
  });
}
