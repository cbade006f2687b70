import curl from "./samples/curl.txt?raw";
import python from "./samples/python.txt?raw";
import typescript from "./samples/typescript.txt?raw";

/** The request of a sample, and the service to which it goes. */
export interface SampleRequest {
  readonly method: string;
  readonly target: string;
  /** The body as JSON in one line; empty when the request has none. */
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

/** Marks a line of a template that is only for a request with a body. */
const WITH_A_BODY = "{{with a body}}";

/** A complete program without libraries, which signs the request, sends it and prints the answer. */
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

/** The text as one word of a shell, in single quotes. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
