import curl from "./samples/curl.txt?raw";
import python from "./samples/python.txt?raw";
import typescript from "./samples/typescript.txt?raw";

/** The request of a sample and its service. */
export interface SampleRequest {
  readonly method: string;
  readonly target: string;
  /** JSON in one line; empty when the request has no body. */
  readonly body: string;
  readonly baseUrl: string;
  readonly brand: string;
}

const LANGUAGES = {
  curl: { template: curl, quote: shellText },
  python: { template: python, quote: JSON.stringify },
  typescript: { template: typescript, quote: JSON.stringify },
} as const;
export type Language = keyof typeof LANGUAGES;

/** Marks a line that only a request with a body has. */
const WITH_A_BODY = "{{with a body}}";

/** A complete program without libraries. It signs the request, sends it and prints the answer. */
export function sampleText(language: Language, request: SampleRequest): string {
  const { template, quote } = LANGUAGES[language];
  const { method, target, body, baseUrl, brand } = request;
  const filled: Readonly<Record<string, string>> = {
    method,
    brand,
    target: quote(target),
    body: quote(body),
    baseUrl: quote(baseUrl),
  };
  return template
    .trimEnd()
    .split("\n")
    .filter((line) => body !== "" || !line.startsWith(WITH_A_BODY))
    .map((line) => line.replace(WITH_A_BODY, ""))
    .join("\n")
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => filled[name] ?? "");
}

/** Quotes a text for the shell with single quotes. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
