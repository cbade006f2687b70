import { ProtocolError } from "@modelcontextprotocol/server";
import { printable } from "../../printable.ts";
import { failureOf } from "../failure.ts";

/** The error codes of the MCP draft. An error carries its details in `data`. */
const ERROR_CODES = {
  InvalidParams: -32_602,
  UpstreamError: -32_603,
  NotFound: -32_011,
  Forbidden: -32_012,
  ResourceExhausted: -32_013,
  Unsupported: -32_014,
  CallbackEndpointError: -32_015,
} as const;

/** The error of a request. `text` names the parameter that has to be changed. */
export function eventError(
  name: keyof typeof ERROR_CODES,
  text: string,
  data: Readonly<Record<string, unknown>> = { reason: text },
): ProtocolError {
  return new ProtocolError(ERROR_CODES[name], `${name}: ${printable(text)}`, data);
}

/** The error of a client that has reached the maximum of `limit`, such as streams. */
export function tooManyError(limit: string, max: number): ProtocolError {
  const text = `this server has at most ${max} ${limit}`;
  return eventError("ResourceExhausted", text, { reason: text, limit, max });
}

/** An error as the body of a notification or of a webhook. */
export function errorBody({
  code,
  message,
  data,
}: ProtocolError): Readonly<Record<string, unknown>> {
  return { code, message, data };
}

/** A failure of the service as an error of the MCP draft. Throws the error again when it is a fault of this program. */
export function serviceError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const failure = failureOf(error);
  if (failure === null) throw error;
  const { code, status, error: text } = failure;
  const data = { reason: text, ...failure };
  if (code === "invalidEvents" || code === "historyDiffers") {
    const named = text.replace(/^'after'/, "'cursor'");
    return eventError("InvalidParams", named, { ...data, reason: named });
  }
  if (status === 401 || status === 403) return eventError("Forbidden", text, data);
  if (status === 429) return eventError("ResourceExhausted", text, { ...data, limit: "reads" });
  return eventError("UpstreamError", text, data);
}
