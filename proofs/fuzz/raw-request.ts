/** The bytes of a request as text, one latin-1 character each. The given headers are not changed. */
export function rawRequestText(request: {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}): string {
  const { method, target, headers, body } = request;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "Host: x",
    ...(body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** The UTF-8 bytes of a text as text, one latin-1 character each. */
export function utf8AsLatin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
