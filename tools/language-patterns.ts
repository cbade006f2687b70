import ts from "typescript";

/** A location in a text with a wording that this repository does not use. */
export interface LanguageFinding {
  readonly line: number;
  readonly pattern: string;
  readonly text: string;
}

interface Pattern {
  readonly name: string;
  readonly expression: RegExp;
}

interface Comment {
  readonly line: number;
  readonly text: string;
}

/**
 * A string, a part of a template, a regular expression or a text of JSX, with its range in the source. The `text` of a
 * regular expression is empty, so that its words are not checked.
 */
interface QuotedText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Words that hide the actor. The actor is a client, a trader, an owner, an operator or a node. */
const NO_ACTOR: Pattern = {
  name: "no actor",
  expression: /\b(nobody|somebody|anybody|everybody|whoever|whomever|whatever)\b/gi,
};

/** Patterns of comments and documents: phrases that an engineer would not use in a review. */
const PROSE: readonly Pattern[] = [
  NO_ACTOR,
  { name: "immediately or concurrently, not: at once", expression: /\bat once\b/gi },
  {
    name: "roll back, cancel or revoke, not: take back",
    expression: /\b(take|takes|took|taken|taking) back\b/gi,
  },
  {
    name: "catch up or invent, not: make up",
    expression: /\b(make|makes|made|making) up\b(?! of\b)/gi,
  },
  {
    name: "machines do not stand",
    expression: /\b(stand|stands|stood)\b(?! (for|by|still)\b|-ins?\b)/gi,
  },
  { name: "cause, not: bring about", expression: /\b(brings?|brought|bringing) about\b/gi },
  { name: "accept, not: let in", expression: /\b(let|lets|letting) in\b(?!to)/gi },
  { name: "reject, not: turn away", expression: /\bturn(s|ed|ing)? away\b/gi },
  { name: "machines are not told", expression: /\btold\b(?! apart\b)/gi },
  { name: "machines are not asked", expression: /\basked\b(?! for\b)/gi },
  { name: "not valid JSON, not: no JSON", expression: /\bno JSON\b/g },
];

/** A comment begins with its verb or noun, not with a relative clause or a genitive. */
const OPENINGS: readonly Pattern[] = [
  { name: "opens with a relative clause", expression: /^(What|That|Which|Whose)\b(?!.*\?$)/g },
  { name: "opens with a genitive", expression: /^Of\b/g },
  { name: "says when a value is null", expression: /(?<=^|[.;] )`?[Nn]ull`?: /g },
];

/** Names that do not tell what their value is. */
const VAGUE_NAMES: ReadonlySet<string> = new Set(
  "told asked here doubters keepHouse nobody somebody anybody everybody".split(" "),
);
/** Names that should be `max` and `min`. Fields of programs with these names are published, so only variables count. */
const EXTREMES: ReadonlySet<string> = new Set(["most", "least"]);

/** The findings of a TypeScript source, in the order of its lines. */
export function findingsInSource(text: string, fileName = "source.ts"): readonly LanguageFinding[] {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number =>
    file.getLineAndCharacterOfPosition(position).line + 1;
  const quoted: QuotedText[] = [];
  const code: LanguageFinding[] = [];
  const visit = (node: ts.Node): void => {
    if (isQuoted(node)) quoted.push(quotedText(node, file));
    const pattern = patternOfNode(node);
    if (pattern !== null) {
      const [first = ""] = node.getText(file).split("\n");
      code.push({ line: lineOf(node.getStart(file)), pattern, text: first });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [
    ...code,
    ...quoted
      .filter((each) => each.text.trim().includes(" "))
      .flatMap((each) => matches([NO_ACTOR], each.text, lineOf(each.start))),
    ...commentsOf(withoutTexts(text, quoted)).flatMap((comment) =>
      matches([...OPENINGS, ...PROSE], comment.text, comment.line),
    ),
  ].sort((a, b) => a.line - b.line);
}

/** The findings of a markdown document, without its code and the addresses of its links. */
export function findingsInDocument(text: string): readonly LanguageFinding[] {
  const blank = (part: string): string => part.replace(/[^\n]/g, " ");
  return text
    .replace(/^```[\s\S]*?^```/gm, blank)
    .replace(/`[^`\n]*`|(?<=\])\([^)\n]*\)/g, blank)
    .split("\n")
    .flatMap((line, index) => matches(PROSE, line, index + 1));
}

function isQuoted(node: ts.Node): node is ts.LiteralLikeNode {
  return (
    ts.isStringLiteral(node) ||
    ts.isJsxText(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  );
}

function quotedText(node: ts.LiteralLikeNode, file: ts.SourceFile): QuotedText {
  const isProse = !ts.isRegularExpressionLiteral(node);
  return { start: node.getStart(file), end: node.end, text: isProse ? node.text : "" };
}

function patternOfNode(node: ts.Node): string | null {
  if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) {
    return "an object literal folded into another";
  }
  if (ts.isParameter(node) && node.dotDotDotToken && ts.isArrayBindingPattern(node.name)) {
    return "parameters folded into a rest tuple";
  }
  if (!ts.isIdentifier(node) || !isDeclaredName(node)) return null;
  if (VAGUE_NAMES.has(node.text)) return "a name that says nothing";
  return EXTREMES.has(node.text) && isVariable(node.parent)
    ? "max or min, not: most or least"
    : null;
}

/** Whether an identifier is the name that a declaration gives, and not a use of a name. */
function isDeclaredName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return false;
  return (parent as Partial<ts.NamedDeclaration>).name === node;
}

function isVariable(node: ts.Node): boolean {
  return ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
}

/** The source with spaces instead of quoted texts, so that a comment inside one is not found. */
function withoutTexts(text: string, quoted: readonly QuotedText[]): string {
  let rest = text;
  for (const { start, end } of quoted) {
    const blank = text.slice(start, end).replace(/[^\n]/g, " ");
    rest = `${rest.slice(0, start)}${blank}${rest.slice(end)}`;
  }
  return rest;
}

/** The block comments, and the comments of `//` on lines of their own, each joined into one line. */
function commentsOf(code: string): readonly Comment[] {
  return [...code.matchAll(/\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*(?:\n|$))+/gm)].map((match) => ({
    line: code.slice(0, match.index).split("\n").length,
    text: match[0]
      .replace(/\*\/\s*$/, "")
      .replace(/^[ \t]*(\/\*\*?|\*|\/\/)/gm, "")
      .replace(/\s+/g, " ")
      .trim(),
  }));
}

function matches(
  patterns: readonly Pattern[],
  text: string,
  line: number,
): readonly LanguageFinding[] {
  return patterns.flatMap(({ name, expression }) =>
    [...text.matchAll(expression)].map((match) => ({
      line,
      pattern: name,
      text: text.slice(Math.max(0, match.index - 30), match.index + 60).trim(),
    })),
  );
}
