import process from "node:process";

/** Prompts for the person at the terminal. They are on standard error, so that standard output has only results. */
export interface Prompts {
  /** True for yes. False for no, and when the person leaves the prompt. */
  confirm(message: string): Promise<boolean>;
  /** The text, which is not shown while it is typed. Null when the person leaves the prompt. */
  secret(message: string): Promise<string | null>;
}

export function createPrompts(): Prompts {
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
