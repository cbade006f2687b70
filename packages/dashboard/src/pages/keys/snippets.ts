import curl from "./snippets/curl.txt?raw";
import environment from "./snippets/environment.txt?raw";
import python from "./snippets/python.txt?raw";
import typescript from "./snippets/typescript.txt?raw";

/** The values that a snippet contains. */
export interface SnippetFacts {
  readonly keyId: string;
  readonly secret: string;
  /** The address of the service. A slash at its end is removed. */
  readonly baseUrl: string;
  /** The brand word of the header names. */
  readonly brand: string;
}

export const SNIPPETS = [
  { id: "curl", name: "curl", fileName: "account.sh", template: curl },
  { id: "python", name: "Python", fileName: "account.py", template: python },
  { id: "typescript", name: "TypeScript", fileName: "account.ts", template: typescript },
  { id: "environment", name: "Environment file", fileName: "propgate.env", template: environment },
] as const;
export type SnippetId = (typeof SNIPPETS)[number]["id"];

/** The command that runs each snippet. The command of the environment file has to be run before the others. */
export const HOW_TO_RUN: Readonly<Record<SnippetId, string>> = {
  environment: "set -a; . ./propgate.env; set +a",
  curl: "sh account.sh",
  python: "python3 account.py",
  typescript: "node account.ts",
};

/** The text of a snippet, which runs without a change. Only the environment file contains the secret. */
export function snippetText(id: SnippetId, facts: SnippetFacts): string {
  const template = SNIPPETS.find((snippet) => snippet.id === id)?.template ?? "";
  const words: Readonly<Record<string, string>> = {
    ...facts,
    baseUrl: facts.baseUrl.replace(/\/+$/, ""),
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => words[name] ?? "").trimEnd();
}
