import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT } from "../source-tree.ts";

const PAGES = join(ROOT, "packages/dashboard/src");

/** Elements on lines of their own. No space can be missing beside them. */
const BLOCKS = new Set(
  "p div ul ol li h1 h2 h3 dl dt dd br table section form pre svg label output".split(" "),
);

/**
 * JSX drops a line break with the spaces around it. A word at the end of a line and a value at the start of the next
 * line are then drawn as one word, such as `an` and `{role}`.
 */
test("no word of a page is joined to what follows or comes before on another line", () => {
  const files = readdirSync(PAGES, { recursive: true, encoding: "utf8" });
  const joined = files
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => joinedWords(name, readFileSync(join(PAGES, name), "utf8")));
  expect(joined).toEqual([]);
});

test.each([
  ["<p>\n  an\n  {role}.\n</p>", ["an"]],
  ["<p>\n  <b>{role}</b>\n  signs in\n</p>", ["signs in"]],
  ['<p>\n  an{" "}\n  {role}.\n</p>', []],
  ["<p>\n  an {role}.\n</p>", []],
  ['<p>\n  all of it.\n  {isKept && " Or not."}\n</p>', []],
  ["<p>\n  told\n  <p>more</p>\n</p>", []],
  ["<p>\n  ({role}\n  ).\n</p>", []],
])("the markup %j joins the words %j", (text, words) => {
  expect(joinedWords("page.tsx", text).map((found) => found.split(": ")[1])).toEqual(words);
});

function joinedWords(name: string, text: string): readonly string[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const children = node.children.filter((child) => !isEmpty(child));
      children.forEach((child, at) => {
        if (!ts.isJsxText(child)) return;
        const words = child.text.trim();
        const joinsNext =
          /[\p{L}\p{N},.;:]\s*\n\s*$/u.test(child.text) && isInline(children[at + 1]);
        const joinsLast = /^\s*\n\s*[\p{L}\p{N}]/u.test(child.text) && isInline(children[at - 1]);
        if (words === "" || !(joinsNext || joinsLast)) return;
        const { line } = source.getLineAndCharacterOfPosition(child.getEnd());
        found.push(`${name}:${line + 1}: ${words}`);
      });
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** Whether a child is a comment in braces or only white space, such as the line break between two elements. */
function isEmpty(child: ts.JsxChild): boolean {
  if (ts.isJsxExpression(child)) return child.expression === undefined;
  return ts.isJsxText(child) && child.text.trim() === "";
}

function isInline(child: ts.JsxChild | undefined): boolean {
  if (child === undefined || ts.isJsxText(child)) return false;
  if (ts.isJsxExpression(child))
    return child.expression !== undefined && !isApart(child.expression);
  if (ts.isJsxFragment(child)) return false;
  const opening = ts.isJsxElement(child) ? child.openingElement : child;
  return !BLOCKS.has(opening.tagName.getText());
}

/** Whether a value needs no space beside it: it is `{" "}`, text that begins or ends with a space, or empty text. */
function isApart(expression: ts.Expression): boolean {
  if (ts.isConditionalExpression(expression)) {
    return isApart(expression.whenTrue) && isApart(expression.whenFalse);
  }
  if (ts.isBinaryExpression(expression)) return isApart(expression.right);
  if (ts.isTemplateExpression(expression)) return /^\s/.test(expression.head.text);
  return ts.isStringLiteralLike(expression) && /^$|^\s|\s$/.test(expression.text);
}
