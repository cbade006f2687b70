import process from "node:process";

/** Asks the person at the terminal, on standard error, so that results stay alone on standard output. */
export interface Prompts {
  /** False when the answer is no or the question was left. */
  confirm(message: string): Promise<boolean>;
  /** Typed unseen; null when the question was left. */
  secret(message: string): Promise<string | null>;
}

export function typedPrompts(): Prompts {
  return {
    async confirm(message) {
      const { confirm } = await import("@clack/prompts");
      const answer = await confirm({ message, initialValue: false, output: process.stderr });
      return answer === true;
    },
    async secret(message) {
      const { password, isCancel } = await import("@clack/prompts");
      const answer = await password({ message, output: process.stderr });
      return isCancel(answer) ? null : answer;
    },
  };
}
