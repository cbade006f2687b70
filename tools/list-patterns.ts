import { checkedFiles, findingsOf } from "./plain-english.ts";

// `npm run plain-english -- packages/core test` prints every finding below these paths, and the number of findings.
// Without a path it prints all.
const wanted = process.argv.slice(2);
let count = 0;
for (const path of checkedFiles()) {
  if (wanted.length > 0 && !wanted.some((prefix) => path.startsWith(prefix))) continue;
  for (const { line, pattern, text } of findingsOf(path)) {
    console.log(`${path}:${line}: ${pattern}: ${text}`);
    count += 1;
  }
}
console.log(`${count} findings`);
