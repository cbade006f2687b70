import { object, optional, type Schema, string, word } from "../schema.ts";

/**
 * `code` of a refusal of the operator's interface: a closed list, each with its meaning. The wording of `error` may
 * change; codes do not change. @rule D12.errorCodes
 */
export const OPERATOR_ERRORS = {
  invalid: "A field, a parameter or the body is missing or invalid; `field` names it.",
  unknown_field: "The call has no field or parameter with the name in `field`.",
  unauthorized: "The token or the session is missing, invalid or expired.",
  role: "The caller may not make this call.",
  confirmation_needed:
    "The call needs a confirmation with a password or passkey that is at most five minutes old: `POST confirm` of the dashboard.",
  not_found: "The path does not exist, or its id names nothing.",
  not_offered: "The account's network does not offer the call; `error` has the reason.",
  conflict: "The current state does not allow the call; `error` has the reason.",
  phase_changed: "The account is not in the phase that the body names.",
  external_id_taken: "The external id belongs to another account or person; `details` has its id.",
  account_limit: "The owner has the maximum number of accounts; `details` has the numbers.",
  key_limit: "The account has the maximum number of keys that are neither revoked nor expired.",
  idempotency_mismatch: "The idempotency key was already used for another request.",
  idempotency_in_progress:
    "The first request with this idempotency key is still in progress; `Retry-After` says when to repeat it.",
  idempotency_secret_gone:
    "The first answer had a secret, which is kept for only 24 hours. `details` has the id of the object that was created.",
  cursor_invalid: "`after` is not a `next` of a page.",
  cursor_mismatch: "`after` belongs to a page with other filters or another sort.",
  history_differs: "`after` belongs to another installation, or to data from before a restore.",
  not_ended: "The account has not been eliminated.",
  address_refused: "The service does not send requests to that address.",
  webhook_limit: "The maximum number of webhooks exists.",
  overlap_running: "The overlap of the last secret rotation has not ended.",
  too_large: "The body is larger than the maximum in `details.bytesMax`.",
  too_many: "Too many calls; `Retry-After` says when to repeat.",
  unknown_fate:
    "It is not known whether the call was carried out. Repeat it with the same idempotency key.",
  unavailable: "The service cannot carry out the call now. Nothing was changed; repeat the call.",
  internal: "An internal error of the service; its log has the details.",
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
    description: "Ids and numbers that belong to the problem, for programs.",
    additionalProperties: { type: ["string", "number"] },
  },
};

/** The body of every refusal of the operator's interface. @rule D12.errorCodes */
export const OPERATOR_FAILURE = object("The answer to a call that was not carried out.", {
  error: string("The problem and its remedy in words. The wording may change, `code` does not."),
  code: word(
    Object.keys(OPERATOR_ERRORS).filter(isOperatorError),
    "The kind of the problem, for programs.",
  ),
  field: optional(string("The parameter or the field of the body that is wrong.")),
  details: optional(DETAILS),
});

function isOperatorError(word: string): word is OperatorErrorCode {
  return Object.hasOwn(OPERATOR_ERRORS, word);
}
