/** A signed request, ready to be written as a shell command. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, or the path of a file with it; null without a body. */
  readonly body: { readonly text: string } | { readonly file: string } | null;
}

/**
 * A curl command for a POSIX shell that sends exactly these bytes. It works once, because the service accepts its nonce
 * once.
 */
export function curlCommand(request: SignedRequest): string {
  const lines = [`curl -sS --globoff --path-as-is -X ${request.method}`];
  for (const [name, value] of Object.entries(request.headers)) {
    lines.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  }
  if (request.body !== null) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(
      "file" in request.body
        ? `--data-binary ${shellQuote(`@${request.body.file}`)}`
        : `--data-raw ${shellQuote(request.body.text)}`,
    );
  }
  lines.push(shellQuote(request.url));
  return lines.join(" \\\n  ");
}

/** Quotes any text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
