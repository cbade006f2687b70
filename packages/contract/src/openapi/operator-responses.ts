import { successSchema } from "../envelope.ts";
import {
  IDEMPOTENCY_HEADER,
  OPERATOR_CALLS,
  type OperatorCall,
  type OperatorCallName,
  REPLAYED_HEADER,
} from "../operator/calls.ts";
import {
  OPERATOR_ERRORS,
  OPERATOR_FAILURE,
  OPERATOR_STATUSES,
  type OperatorErrorCode,
} from "../operator/error-codes.ts";
import { AS_OF_HEADER, NEXT_HEADER, OPERATOR_FILES } from "../operator/files.ts";
import { LIST_FILE_TYPES } from "../operator/lists/list-files.ts";
import { queryParametersOf } from "../operator/queries.ts";
import { OPERATOR_ANSWERS } from "../operator/shapes.ts";
import { type JsonSchema, object, type Schema, string, word } from "../schema.ts";
import { answerHeaders, type HeaderPart } from "./headers.ts";
import type { SharedSchemas } from "./shared-schemas.ts";

/** The schema of `data` in a call's answer; null for a call whose answer is a file. */
export function operatorAnswer(name: OperatorCallName): Schema<unknown> | null {
  const answers: Readonly<Record<string, Schema<unknown>>> = OPERATOR_ANSWERS;
  return answers[name] ?? null;
}

interface ResponseParts extends Pick<SharedSchemas, "refer"> {
  readonly brand: string;
}

/** The responses of a call by status: its success, and the refusals that it may have. @rule D12.operatorOpenApi */
export function operatorResponses(name: OperatorCallName, parts: ResponseParts): JsonSchema {
  const refusals = operatorRefusals(name).map((status) => [
    String(status),
    { $ref: `#/components/responses/${REFUSALS[status].name}` },
  ]);
  return { "200": successResponse(name, parts), ...Object.fromEntries(refusals) };
}

/** The statuses of the refusals that a call may have. */
export function operatorRefusals(name: OperatorCallName): readonly (keyof typeof REFUSALS)[] {
  const { method, path }: OperatorCall = OPERATOR_CALLS[name];
  const hasId = path.includes(":") || ACCOUNT_CALLS.has(name);
  return [
    400,
    401,
    403,
    ...(hasId ? ([404] as const) : []),
    ...(method === "GET" ? conflictsOfRead(name) : ([409, 413] as const)),
    429,
    500,
    503,
  ];
}

/**
 * Reads that can answer 409, because what they read may not exist yet: the evidence of an account's end, and the effect
 * of a choice between price sources.
 */
const CONFLICTING_READS: ReadonlySet<OperatorCallName> = new Set([
  "accounts.evidence",
  "prices.effect",
] as const);

function conflictsOfRead(name: OperatorCallName): readonly 409[] {
  return CONFLICTING_READS.has(name) ? [409] : [];
}

/** Calls without an id in their path that can answer 404: their body names an account, or they need a validator. */
const ACCOUNT_CALLS: ReadonlySet<OperatorCallName> = new Set([
  "accounts.link",
  "keys.create",
  "journal.verify",
  "journal.rebuild",
  "webhooks.create",
] as const);

function successResponse(name: OperatorCallName, { brand, refer }: ResponseParts): JsonSchema {
  const { repeats }: OperatorCall = OPERATOR_CALLS[name];
  const answer = operatorAnswer(name);
  const { [name]: fileType } = { ...NO_FILES, ...OPERATOR_FILES };
  // The `format` of `accounts.evidence` chooses between a file and a page, not between the formats of a list.
  const hasFormat = queryParametersOf(name).includes("format") && fileType === undefined;
  const headers: readonly HeaderPart[] = [
    "requestId",
    ...(repeats === "nothing" ? [] : ([REPLAYED_HEADER] as const)),
    ...(hasFormat ? FILE_HEADERS : []),
    ...(name === "events.list" ? ([NEXT_HEADER] as const) : []),
  ];
  return {
    description: "Success.",
    headers: answerHeaders(brand, headers),
    content: {
      ...(answer === null ? {} : { "application/json": { schema: refer(successSchema(answer)) } }),
      ...(hasFormat ? FILE_CONTENTS : {}),
      ...(fileType === undefined ? {} : { [fileType]: { schema: contentOf(fileType) } }),
    },
  };
}

const NO_FILES: Readonly<Partial<Record<OperatorCallName, string>>> = {};
const FILE_HEADERS = ["Content-Disposition", AS_OF_HEADER] as const;

function contentOf(type: string): JsonSchema {
  return type.startsWith("application/gzip") ? { type: "string", format: "binary" } : TEXT;
}

const TEXT = { type: "string" } as const;

const FILE_CONTENTS: JsonSchema = Object.fromEntries(
  Object.values(LIST_FILE_TYPES).map((type) => [type, { schema: TEXT }]),
);

const REFUSALS = {
  400: { name: "BadRequest", headers: [] },
  401: { name: "Unauthorized", headers: ["WWW-Authenticate"] },
  403: { name: "Forbidden", headers: [] },
  404: { name: "NotFound", headers: [REPLAYED_HEADER] },
  409: { name: "Conflict", headers: ["Retry-After", REPLAYED_HEADER] },
  413: { name: "TooLarge", headers: [] },
  429: { name: "TooMany", headers: ["Retry-After"] },
  500: { name: "Internal", headers: [REPLAYED_HEADER] },
  503: { name: "Unavailable", headers: ["Retry-After"] },
} as const satisfies Readonly<
  Record<
    keyof typeof OPERATOR_STATUSES,
    { readonly name: string; readonly headers: readonly HeaderPart[] }
  >
>;

/** `components.responses`: each refusal once, with the codes of its status. */
export function operatorRefusalComponents({ brand, refer }: ResponseParts): JsonSchema {
  const statuses = Object.entries(OPERATOR_STATUSES);
  const entries = Object.entries(REFUSALS).map(([status, { name, headers }]) => {
    const codes = statuses.find(([one]) => one === status)?.[1] ?? [];
    return [
      name,
      {
        description: codes.map((code) => `\`${code}\`: ${OPERATOR_ERRORS[code]}`).join(" "),
        headers: answerHeaders(brand, ["requestId", ...headers]),
        content: {
          "application/json": {
            schema: { allOf: [refer(OPERATOR_FAILURE), failureWithCodes(codes).json] },
          },
        },
      },
    ];
  });
  return Object.fromEntries(entries);
}

function failureWithCodes(codes: readonly OperatorErrorCode[]): Schema<unknown> {
  return object("The possible codes of this status.", {
    code: word(codes, "The kind of the problem, for programs."),
  });
}

/** The request header that makes any write repeatable. @rule D12.repeatedWrites */
export const IDEMPOTENCY_KEY = {
  name: IDEMPOTENCY_HEADER,
  in: "header",
  required: false,
  description:
    "1 to 255 printable ASCII characters. A repeated request with this key, path and body gets the first answer again. The answer is kept for 30 days, or for 24 hours if it has a secret. Calls that return a file or only validate ignore the key.",
  schema: string("The idempotency key.", { minLength: 1, maxLength: 255, pattern: "^[ -~]+$" })
    .json,
} as const;
