import { filesBelow, isTestSupport, readText } from "../test/source-tree.ts";

/** A row of the index of rules. */
export interface Rule {
  readonly id: string;
  readonly sentence: string;
  /** The heading above the row. */
  readonly section: string;
}

/** A mention of a rule's id: a source line, the title of a test or the first line of a scenario. */
export interface RuleMention {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  /** The text of the line. For a `@rule` tag with `decides`, the text of the first line of code below the tag. */
  readonly text: string;
  /** `code` implements the rule and `test` proves it. `support` serves tests and counts as neither. */
  readonly role: "code" | "test" | "support";
  /** True when the code at this line decides the outcome of the rule. Each rule has one such line. */
  readonly decides: boolean;
}

export const RULES_PATH = "docs/spec/rules.md";

const ID = /[SD]\d+(?:\.[A-Za-z0-9]+)*/g;
const ROW = /^\| ([SD]\d[A-Za-z0-9.]*) \| (.+) \|$/;
/** In `@rule S5.R2 @rule S8.read D2.race decides`, the code follows the first rule and decides the other two. */
const CLAIM = /@rule((?: [SD]\d+(?:\.[A-Za-z0-9]+)*)+)( decides\b)?/g;
/** Rows of the contract's tables of errors and limits name their rule as a value. */
const TABLE_ROW = /\brule: "([^"]+)"/g;
const TITLE_TAG = /\[([SD]\d[A-Za-z0-9. ]*)\]/g;
const CONTRACT = "packages/contract/src/";

/** The rules in the tables of the index, each with the heading above its table. */
export function parseRules(markdown: string): readonly Rule[] {
  const rules: Rule[] = [];
  let section = "";
  for (const line of markdown.split("\n")) {
    if (line.startsWith("## ")) section = line.slice("## ".length);
    const [, id, sentence] = ROW.exec(line) ?? [];
    if (id === undefined || sentence === undefined) continue;
    rules.push({ id, sentence, section });
  }
  return rules;
}

export function readRules(): readonly Rule[] {
  return parseRules(readText(RULES_PATH));
}

/** Every mention of any id below `packages`, `examples`, `proofs` and `test`, in the order of the files. */
export function findMentions(): readonly RuleMention[] {
  return ["packages", "examples", "proofs", "test"]
    .flatMap(filesBelow)
    .filter((path) => /\.(ts|tsx|txt|py|sh)$/.test(path))
    .flatMap((path) => mentionsIn(path, readText(path)));
}

/** The mentions in one file, in the order of its lines. A story counts with its first line only. */
export function mentionsIn(path: string, text: string): readonly RuleMention[] {
  const lines = text.split("\n");
  if (path.endsWith(".txt")) {
    const [first = ""] = lines;
    return idsIn(first, TITLE_TAG).map((id) =>
      createMention({ id, role: "test", decides: false }, { path, index: 0, line: first }),
    );
  }
  return lines.flatMap((line, index) => {
    const at = { path, index, line };
    const claims = [...line.matchAll(CLAIM)].flatMap(([, ids = "", mark]) =>
      (ids.match(ID) ?? []).map((id) =>
        mark === undefined
          ? createMention({ id, role: roleOf(path), decides: false }, at)
          : createMention(
              { id, role: roleOf(path), decides: true },
              { ...at, line: firstCodeLineBelow(lines, index) },
            ),
      ),
    );
    const rows = path.startsWith(CONTRACT) && !isTestSupport(path) ? idsIn(line, TABLE_ROW) : [];
    const titles = isTitled(path) ? idsIn(line, TITLE_TAG) : [];
    return [
      ...claims,
      ...rows.map((id) => createMention({ id, role: "code", decides: false }, at)),
      ...titles.map((id) => createMention({ id, role: "test", decides: false }, at)),
    ];
  });
}

function createMention(
  of: Pick<RuleMention, "id" | "role" | "decides">,
  at: { readonly path: string; readonly index: number; readonly line: string },
): RuleMention {
  return { ...of, path: at.path, line: at.index + 1, text: at.line.trim() };
}

/** The first line of code below a comment with `decides`. */
function firstCodeLineBelow(lines: readonly string[], index: number): string {
  return lines.slice(index + 1).find((line) => !/^\s*(?:$|\*|\/[*/])/.test(line)) ?? "";
}

function idsIn(line: string, holder: RegExp): readonly string[] {
  return [...line.matchAll(holder)].flatMap(([, inside = ""]) => inside.match(ID) ?? []);
}

function isTitled(path: string): boolean {
  return /\.(test|suite)\.tsx?$/.test(path);
}

function roleOf(path: string): RuleMention["role"] {
  return isTestSupport(path) || path.startsWith("test/") ? "support" : "code";
}

/** Up to eight ids of rules that resemble the unknown id `wanted`, the most similar first. */
export function similarRuleIds(wanted: string, rules: readonly Rule[]): readonly string[] {
  const lower = wanted.toLowerCase();
  const scored = rules.map(({ id }) => ({ id, score: likeness(lower, id.toLowerCase()) }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ id }) => id);
}

const SUGGESTIONS_MAX = 8;
const SAME_SECTION = 2;
const SAME_NAME = 8;

function likeness(wanted: string, id: string): number {
  const name = (text: string): string => text.slice(text.lastIndexOf(".") + 1);
  const section = (text: string): string => text.split(".", 1)[0] ?? "";
  let shared = 0;
  while (shared < wanted.length && wanted[shared] === id[shared]) shared += 1;
  const inSection = section(wanted) === section(id) ? SAME_SECTION + shared : 0;
  const isName = name(wanted).length > 1 && id.includes(name(wanted)) ? SAME_NAME : 0;
  return inSection + isName;
}
