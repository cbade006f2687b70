import type { IncomingMessage } from "node:http";

type Encoded = Pick<IncomingMessage, "headers">;
type Typed = Pick<IncomingMessage, "headers" | "rawHeaders">;

/**
 * The problem of a `Content-Encoding` other than `identity`, because no body is decompressed; null when there is none.
 */
export function encodingProblem({ headers }: Encoded): string | null {
  const given = headers["content-encoding"]?.split(",") ?? [];
  return given.every((encoding) => encoding.trim().toLowerCase() === "identity")
    ? null
    : "Content-Encoding must be left out: a compressed body is not read";
}

/**
 * Why the headers do not announce JSON in UTF-8; null when they do. Two `Content-Type` headers are a problem, because
 * only one of them can be right.
 * @rule D2.json
 */
export function jsonTypeProblem(message: Typed): string | null {
  const type = message.headers["content-type"] ?? "";
  if (countOf("content-type", message) > 1 || type.includes(","))
    return "Content-Type is given twice";
  const [name = "", ...parameters] = type.split(";").map((part) => part.trim().toLowerCase());
  if (name !== "application/json") return "Content-Type must be application/json";
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith("charset") || UTF_8.test(parameter),
  );
  return isUtf8 ? encodingProblem(message) : "charset of Content-Type must be utf-8";
}

const UTF_8 = /^charset\s*=\s*"?utf-?8"?$/;

/** How often the request has this header. `rawHeaders` is counted, because `headers` keeps only the first value. */
function countOf(name: string, { rawHeaders }: Typed): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}
