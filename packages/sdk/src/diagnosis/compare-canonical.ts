import type { Finding, Part } from "./sent.ts";

const LINES: readonly (readonly [Part, string])[] = [
  ["canonical string", "The first line is v1."],
  ["method", "The second line is the method in upper case."],
  ["target", "The third line is path and query exactly as sent."],
  ["timestamp", "The fourth line is the timestamp header, character for character."],
  ["nonce", "The fifth line is the nonce header, character for character."],
  ["body", "The sixth line is the SHA-256 of the bytes sent, in lower-case hex."],
];

/** Compares the string that a client signed with the right one, line by line. Empty when they are equal. */
export function compareSigned(signed: string, expected: string): readonly Finding[] {
  if (signed === expected) return [];
  const findings: Finding[] = [];
  if (signed.includes("\r")) {
    findings.push(shape("its lines end in CRLF", "End them with a single newline (\\n)."));
  }
  if (/[^\r\n]\r?\n$/.test(signed)) {
    findings.push(shape("it has a newline at its end", "Put newlines between the parts only."));
  }
  if (signed.includes("\\n")) {
    findings.push(shape("it contains a backslash and an n", "Join by a real newline character."));
  }
  const got = signed.replace(/\r?\n$/, "").split(/\r?\n|\\n/);
  const wanted = expected.split("\n");
  if (got.length !== wanted.length) {
    const problem = `it has ${got.length} parts instead of 6`;
    return [...findings, shape(problem, "v1, method, target, timestamp, nonce, body hash.")];
  }
  for (const [index, [part, fix]] of LINES.entries()) {
    if (got[index] === wanted[index]) continue;
    const problem = `${quote(got[index])} was signed instead of ${quote(wanted[index])}`;
    findings.push({ part, problem, fix });
  }
  return findings;
}

function shape(problem: string, fix: string): Finding {
  return { part: "canonical string", problem, fix };
}

function quote(text: string | undefined): string {
  return JSON.stringify(text ?? "");
}
