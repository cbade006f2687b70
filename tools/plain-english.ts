import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, ROOT, readText } from "../test/source-tree.ts";

/** How often each file still has a pattern of language that the house no longer uses. */
export type PatternCounts = Readonly<Record<string, number>>;

const FOLDERS = ["packages", "proofs", "test", "tools", "bench", "examples"] as const;
const RATCHET = "tools/plain-english.json";
/** Comments that begin with a free relative or a genitive, whose noun the reader has to find. */
const OPENING = /^(What|Of)\b(?!.*\?$)/;
/** The actor is a client, a trader, an owner, an operator or a node. */
const NO_ACTOR = /\b(nobody|somebody|whoever|whatever)\b/gi;
/** Names that say nothing about their value. */
const VAGUE_NAME = /(?<![\w$.])(told|asked)(?![\w$])/g;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** The counts of all sources of the checkout, without files that have none. */
export function countedPatterns(): PatternCounts {
  const counts = FOLDERS.flatMap(filesBelow)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [path, patternsIn(readText(path))] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** How many patterns a source has: openings and actors in comments, vague names in code. */
export function patternsIn(text: string): number {
  const { comments, code } = parted(text);
  const openings = comments.filter((comment) => OPENING.test(comment)).length;
  const actors = comments.flatMap((comment) => comment.match(NO_ACTOR) ?? []).length;
  return openings + actors + (code.match(VAGUE_NAME) ?? []).length;
}

/** Comments in one line each, and the code without them and without strings. */
function parted(text: string): { readonly comments: readonly string[]; readonly code: string } {
  const comments: string[] = [];
  const code = text.replace(STRING, '""').replace(/\/\*\*?[\s\S]*?\*\/|(?<!:)\/\/.*/g, "");
  for (const [comment] of text.matchAll(/\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*(?:\n|$))+/gm)) {
    const words = comment.replace(/^[ \t]*(\/\*\*?|\*\/|\*|\/\/)/gm, "").replace(/\*\/\s*$/, "");
    comments.push(words.replace(/\s+/g, " ").trim());
  }
  return { comments, code };
}

/** The counts that the ratchet allows. A file that it does not name may have none. */
export function allowedPatterns(): PatternCounts {
  return JSON.parse(readFileSync(join(ROOT, RATCHET), "utf8")) as PatternCounts;
}

/** Writes the counts as they are. Throws when there are more in all than before: they may only fall. */
export function lowerPatterns(): void {
  const counts = countedPatterns();
  const [before, now] = [total(allowedPatterns()), total(counts)];
  if (now > before) throw new Error(`${RATCHET}: ${now} patterns, and ${before} before`);
  writeFileSync(join(ROOT, RATCHET), `${JSON.stringify(counts, null, 2)}\n`);
}

function total(counts: PatternCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
