/** The commands of a page, and the answers that the page shows for them. */
import { expect } from "vitest";

/** Guides whose blocks run in one sandbox, in their order. */
export const SANDBOX_GUIDES = ["docs/guides/sandbox.md", "docs/guides/sandbox-recipes.md"] as const;

/** A block of shell lines, and the answer that the page shows for it. */
export interface WalkthroughStep {
  /** The shell lines of one block. */
  readonly run: string;
  /** The JSON block directly after the shell block; null when there is none. `"…"` in it matches any text. */
  readonly answer: unknown;
}

/** The `sh` blocks of a page, in order. */
export function walkthroughSteps(markdown: string): readonly WalkthroughStep[] {
  const block = /```sh\n([\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/g;
  return [...markdown.matchAll(block)].map(([, run = "", answer]) => ({
    run: run.trim(),
    answer: answer === undefined ? null : JSON.parse(answer),
  }));
}

const MARK = "--- next step ---";

/** All steps as one shell script, so that a step can use the variables of earlier ones. */
export function shellScriptOf(steps: readonly string[]): string {
  return ["set -eu", ...steps.flatMap((step) => [step, `echo; echo '${MARK}'`])].join("\n");
}

/** The output of each step of the script. */
export function stepOutputs(stdout: string): readonly string[] {
  return stdout
    .split(`\n${MARK}\n`)
    .slice(0, -1)
    .map((text) => text.trim());
}

/** The answer as a pattern, in which `"…"` matches any text. */
export function withWildcards(value: unknown): Record<string, unknown> {
  const open = (one: unknown): unknown => {
    if (one === "…") return expect.any(String);
    if (Array.isArray(one)) return one.map(open);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, open(inner)]));
  };
  return open(value) as Record<string, unknown>;
}
