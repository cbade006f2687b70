import type { ErrorName, RefusalCode, Scope } from "@propgate/contract";

/** Why a request is rejected: a row of the contract's errors, and the details of its answer. */
export interface Rejection {
  readonly error: ErrorName;
  /** The text, for a row without a fixed one. */
  readonly text?: string;
  /** The name of the account's network, unless it is the service's own. */
  readonly networkName?: string;
  /** The trading network's reason for refusing an order. @rule D10.refusalCodes */
  readonly refusalCode?: RefusalCode;
  /** With `insufficientScope`: the missing scope. */
  readonly requiredScope?: Scope;
  /** With the status 429: when the client may send the request again. */
  readonly retryAtMs?: number;
  /** With `methodNotAllowed`: the methods that the path has. */
  readonly allow?: readonly string[];
}
