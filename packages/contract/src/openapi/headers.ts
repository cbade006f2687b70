import { type AuthHeaders, authHeaders, type HelpHeaders, helpHeaders } from "../brand.ts";
import { LIMITS } from "../limits.ts";
import { REFUSAL_CODES } from "../refusals.ts";
import type { JsonSchema } from "../schema.ts";

const AUTH_NOTES: Readonly<Record<keyof AuthHeaders, string>> = {
  keyId: "The id of the API key.",
  timestamp: `Unix milliseconds in ${LIMITS.timestampDigitsMin} to ${LIMITS.timestampDigitsMax} decimal digits, within ${LIMITS.timestampSkewMs / 60_000} minutes of the server's clock.`,
  nonce: `${LIMITS.nonceCharactersMin} to ${LIMITS.nonceCharactersMax} printable ASCII characters. A key can use each nonce only once.`,
  signature: "`v1=` and the base64 of the HMAC-SHA256 of the canonical string.",
};

/**
 * The four headers of a signed request as security schemes. A request has all of them or none.
 * @rule S5.headers D10.openapi
 */
export function securitySchemes(brand: string): JsonSchema {
  const names = new Map<string, string>(Object.entries(authHeaders(brand)));
  return Object.fromEntries(
    Object.entries(AUTH_NOTES).map(([part, description]) => [
      part,
      { type: "apiKey", in: "header", name: names.get(part), description },
    ]),
  );
}

/** The security requirement of a signed operation: all four headers together. */
export const SIGNED_REQUIREMENT: JsonSchema = Object.fromEntries(
  Object.keys(AUTH_NOTES).map((part) => [part, []]),
);

const textHeader = (description: string): JsonSchema => ({
  description,
  schema: { type: "string" },
});
const wholeNumberHeader = (description: string): JsonSchema => ({
  description,
  schema: { type: "integer" },
});

const HELP_NOTES: Readonly<Record<keyof HelpHeaders, JsonSchema>> = {
  requestId: textHeader("Identifies the request in the service's log."),
  serverTimeMs: wholeNumberHeader("The service's clock, Unix milliseconds."),
  seenTarget: textHeader("With `Bad signature`: the request target that the service received."),
  seenBodySha256: textHeader(
    "With `Bad signature`: SHA-256 of the body that the service received, in lower-case hex.",
  ),
  ignoredFields: textHeader(
    "Comma-separated names of body fields that have no effect on this order; absent when every field has an effect.",
  ),
  accountVersion: textHeader(
    "The cursor of the newest event that the answer includes. Pass it as `after` to GET events to continue from there.",
  ),
  refusalCode: {
    description: "Why the trading network refused the order; absent on other errors.",
    schema: { type: "string", enum: [...REFUSAL_CODES] },
  },
};
const STANDARD_NOTES = {
  "Retry-After": wholeNumberHeader("Whole seconds to wait before the next request."),
  Allow: textHeader("The methods that the path supports."),
  "X-RateLimit-Limit": wholeNumberHeader("Maximum reads of the key in one clock minute."),
  "X-RateLimit-Remaining": wholeNumberHeader(
    "Reads that the key can still make in this clock minute.",
  ),
  "X-RateLimit-Reset": wholeNumberHeader("When the next clock minute starts, in Unix seconds."),
} as const;

const OPERATOR_NOTES = {
  "WWW-Authenticate": textHeader("`Bearer`."),
  "Idempotent-Replayed": {
    description: "`true`: the answer is a repetition of the first answer to this key.",
    schema: { type: "string", enum: ["true"] },
  },
  "Content-Disposition": textHeader("For a file: its suggested name."),
  "X-As-Of-Ms": wholeNumberHeader(
    "For a file: the time to which its contents refer, in Unix milliseconds.",
  ),
  "X-Next": textHeader("For a file of events: the value of `after` for the next file."),
} as const;

/** A diagnostic header by its role in `HelpHeaders`, or another header by its name. */
export type HeaderPart =
  | keyof HelpHeaders
  | keyof typeof STANDARD_NOTES
  | keyof typeof OPERATOR_NOTES;

/** The headers of an answer that show the state of the key's read budget. */
export const READ_BUDGET_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies readonly HeaderPart[];

/** `components.headers`, by the role of each header. @rule D2.help D10.openapi */
export const HEADER_COMPONENTS: JsonSchema = { ...HELP_NOTES, ...STANDARD_NOTES };

/** `components.headers` of the operator's interface. */
export const OPERATOR_HEADER_COMPONENTS: JsonSchema = {
  requestId: HELP_NOTES.requestId,
  "Retry-After": STANDARD_NOTES["Retry-After"],
  ...OPERATOR_NOTES,
};

/** The headers of one answer as references to their components, by their names on the wire. */
export function answerHeaders(brand: string, parts: readonly HeaderPart[]): JsonSchema {
  const names = new Map<string, string>(Object.entries(helpHeaders(brand)));
  return Object.fromEntries(
    parts.map((part) => [names.get(part) ?? part, { $ref: `#/components/headers/${part}` }]),
  );
}
