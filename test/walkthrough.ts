/** Commands that a page tells its reader to run, and the answers that it promises. */

export interface Step {
  /** The shell lines of one block. */
  readonly run: string;
  /** The JSON block right after it, `"…"` standing for any text; null without one. */
  readonly answer: unknown;
}

/** Every `sh` block of a page, in order. */
export function stepsOf(markdown: string): readonly Step[] {
  const block = /```sh\n([\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/g;
  return [...markdown.matchAll(block)].map(([, run = "", answer]) => ({
    run: run.trim(),
    answer: answer === undefined ? null : JSON.parse(answer),
  }));
}

const MARK = "--- next step ---";

/** All steps as one shell script, so that what one sets the next one has. */
export function scriptOf(steps: readonly string[]): string {
  return ["set -eu", ...steps.flatMap((step) => [step, `echo; echo '${MARK}'`])].join("\n");
}

/** What each step of the script printed. */
export function printedBy(stdout: string): readonly string[] {
  return stdout
    .split(`\n${MARK}\n`)
    .slice(0, -1)
    .map((text) => text.trim());
}
