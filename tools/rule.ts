import {
  findMentions,
  type Rule,
  type RuleMention,
  readRules,
  similarRuleIds,
} from "./rule-index.ts";

// `npm run rule S5.R2` prints the rule's sentence, the code that decides it, its other code and its tests. Without an
// id it lists all rules.
const [wanted] = process.argv.slice(2);
const rules = readRules();
const found = rules.find(({ id }) => id.toLowerCase() === wanted?.toLowerCase());
if (wanted === undefined) list(rules);
else if (found === undefined) refuse(wanted);
else show(found);

function list(all: readonly Rule[]): void {
  for (const [section, inside] of Map.groupBy(all, (rule) => rule.section)) {
    console.log(`\n${section}`);
    const width = Math.max(...inside.map(({ id }) => id.length));
    for (const { id, sentence } of inside) console.log(`  ${id.padEnd(width)}  ${sentence}`);
  }
}

function refuse(id: string): void {
  const suggestions = similarRuleIds(id, rules);
  console.error(`no rule ${id} in docs/spec/rules.md`);
  if (suggestions.length > 0) console.error(`near: ${suggestions.join(", ")}`);
  process.exitCode = 1;
}

function show(rule: Rule): void {
  const mentions = findMentions().filter(({ id }) => id === rule.id);
  console.log(`${rule.id}  ${rule.sentence}\n${rule.section}`);
  print(
    "Decided at",
    mentions.filter(({ decides }) => decides),
  );
  print(
    "Other code",
    mentions.filter(({ role, decides }) => role === "code" && !decides),
  );
  print(
    "Tests",
    mentions.filter(({ role }) => role === "test"),
  );
}

function print(title: string, mentions: readonly RuleMention[]): void {
  if (mentions.length === 0) return;
  console.log(`\n${title}`);
  for (const { path, line, text } of mentions) console.log(`  ${path}:${line}\n    ${text}`);
}
