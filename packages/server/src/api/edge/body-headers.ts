import type { IncomingMessage } from "node:http";

type Headers = Pick<IncomingMessage, "headersDistinct">;

/** Why a body cannot be read as it came, or null: no body is decompressed. */
export function encodingProblem({ headersDistinct }: Headers): string | null {
  const encodings = headersDistinct["content-encoding"] ?? [];
  return encodings.every((encoding) => encoding.trim().toLowerCase() === "identity")
    ? null
    : "Content-Encoding must be left out: a compressed body is not read";
}

/** Why the headers do not announce JSON in UTF-8; null when they do. Of two types only one could hold. @rule D2.body */
export function jsonTypeProblem(message: Headers): string | null {
  const types = message.headersDistinct["content-type"] ?? [];
  const [type = ""] = types;
  if (types.length > 1 || type.includes(",")) return "Content-Type is given twice";
  const [name = "", ...parameters] = type.split(";").map((part) => part.trim().toLowerCase());
  if (name !== "application/json") return "Content-Type must be application/json";
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith("charset") || UTF_8.test(parameter),
  );
  return isUtf8 ? encodingProblem(message) : "charset of Content-Type must be utf-8";
}

const UTF_8 = /^charset\s*=\s*"?utf-?8"?$/;
