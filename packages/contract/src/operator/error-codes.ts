import { object, optional, type Schema, string, word } from "../schema.ts";

/**
 * `code` of a refusal of the operator's interface: a closed list, each with its meaning. The wording of `error` may
 * change; codes do not change. @rule D12.errorCodes
 */
export const OPERATOR_ERRORS = {
  invalid: "A field, a parameter or the body is missing or wrong; `field` names it.",
  unknown_field: "`field` names a field or a parameter that the call does not have.",
  unauthorized: "The token or the session is missing, wrong or expired.",
  role: "The caller may not make this call.",
  confirmation_needed:
    "The call needs a password or a passkey of the last five minutes: `POST confirm` of the pages gives it.",
  not_found: "The path, or what its id names, does not exist.",
  not_offered: "The account's network does not have it; `error` has the reason.",
  conflict: "The present state does not allow it; `error` has the reason.",
  phase_changed: "The account is in another phase than the body says.",
  external_id_taken: "Another one has that external id; `details` has its id.",
  account_limit: "The owner has the maximum of accounts; `details` has the numbers.",
  key_limit: "The account has the maximum of keys that are not revoked or expired.",
  idempotency_mismatch: "The key was used for another request.",
  idempotency_in_progress:
    "The first request with that key is under way; `Retry-After` says when to repeat.",
  idempotency_secret_gone:
    "The first answer had a secret, which is kept for 24 hours; `details` has the id of the one that was made.",
  cursor_invalid: "`after` is no `next` of a page.",
  cursor_mismatch: "`after` is of a page with other filters or another sort.",
  history_differs: "`after` is of another installation, or of data before a restore.",
  not_ended: "The account has not been eliminated.",
  address_refused: "The service does not call that address.",
  webhook_limit: "There is the maximum of webhooks.",
  overlap_running: "The overlap of the last rotation is still running.",
  too_large: "The body is larger than the maximum; `details.bytesMax` says it.",
  too_many: "Too many calls; `Retry-After` says when to repeat.",
  unknown_fate: "It is not known whether the call was carried out. Repeat it with the same key.",
  unavailable: "Nothing was changed; repeat the call.",
  internal: "An error of the service, which its log has.",
} as const;

export type OperatorErrorCode = keyof typeof OPERATOR_ERRORS;

/** The statuses of refusals, each with the codes that have it. @rule D12.errorCodes */
export const OPERATOR_STATUSES = {
  400: [
    "invalid",
    "unknown_field",
    "cursor_invalid",
    "cursor_mismatch",
    "history_differs",
    "address_refused",
  ],
  401: ["unauthorized"],
  403: ["role", "confirmation_needed", "invalid"],
  404: ["not_found", "not_offered"],
  409: [
    "conflict",
    "phase_changed",
    "external_id_taken",
    "account_limit",
    "key_limit",
    "idempotency_mismatch",
    "idempotency_in_progress",
    "idempotency_secret_gone",
    "not_ended",
    "webhook_limit",
    "overlap_running",
    "invalid",
  ],
  413: ["too_large"],
  429: ["too_many"],
  500: ["internal"],
  503: ["unknown_fate", "unavailable"],
} as const satisfies Readonly<Record<number, readonly OperatorErrorCode[]>>;

const DETAILS: Schema<Readonly<Record<string, string | number>>> = {
  json: {
    type: "object",
    description: "Ids and numbers for programs.",
    additionalProperties: { type: ["string", "number"] },
  },
};

/** The body of every refusal of the operator's interface. @rule D12.errorCodes */
export const OPERATOR_FAILURE = object("A refusal.", {
  error: string("The problem and its remedy; its wording may change, its code does not."),
  code: word(
    Object.keys(OPERATOR_ERRORS).filter(isOperatorError),
    "The kind of the problem, for programs.",
  ),
  field: optional(string("The wrong parameter or field of the body.")),
  details: optional(DETAILS),
});

function isOperatorError(word: string): word is OperatorErrorCode {
  return Object.hasOwn(OPERATOR_ERRORS, word);
}
