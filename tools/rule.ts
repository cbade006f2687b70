/**
 * `npm run rule -- S5.R2`: every line of the sources, tests and scenarios that names the rule, or,
 * without an id, how often each is named.
 */
import { filesBelow, readText } from "../test/source-tree.ts";

const [asked] = process.argv.slice(2);
const NAMED = /@rule ([SD]\d[\w.]*\w)|\[([SD]\d[\w.]*\w)[^\]]*\]/g;

const lines = ["packages", "test"]
  .flatMap(filesBelow)
  .filter((path) => /\.(ts|txt)$/.test(path))
  .flatMap((path) =>
    readText(path)
      .split("\n")
      .map((text, index) => ({ where: `${path}:${index + 1}`, text })),
  );

if (asked === undefined) {
  const count = new Map<string, number>();
  for (const { text } of lines) {
    for (const match of text.matchAll(NAMED)) {
      const rule = match[1] ?? match[2] ?? "";
      count.set(rule, (count.get(rule) ?? 0) + 1);
    }
  }
  const sorted = [...count].sort(([one], [other]) =>
    one.localeCompare(other, "en", { numeric: true }),
  );
  for (const [rule, times] of sorted) console.log(`${rule} ${times}`);
} else {
  const word = new RegExp(`\\b${asked.replaceAll(".", "\\.")}(?![\\w])`);
  const found = lines.filter(({ text }) => word.test(text));
  for (const { where, text } of found) console.log(`${where}  ${text.trim()}`);
  process.exitCode = found.length === 0 ? 1 : 0;
}
