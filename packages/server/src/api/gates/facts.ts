import type {
  ErrorName,
  QueryParameters,
  RefusalCode,
  Scope,
  SignedEndpointName,
} from "@propgate/contract";
import type { AccountId, UnixMs } from "@propgate/core";
import type { KnownKey } from "../../access/keys/key-cache.ts";
import type { Admission } from "../admission.ts";
import type { RequestBody } from "../request-body.ts";

/** The four headers as sent; an absent one is empty. @rule S5.headers */
export interface Credentials {
  readonly keyId: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

/** The facts about any request before its body is received. */
export interface RequestHead {
  readonly endpoint: SignedEndpointName;
  readonly method: "GET" | "POST";
  readonly scope: Scope;
  /** Path and query exactly as sent. */
  readonly target: string;
  readonly query: QueryParameters;
  readonly credentials: Credentials;
  readonly now: UnixMs;
  readonly address: string;
}

/** The same facts with the body. */
export interface RequestFacts extends RequestHead {
  readonly body: RequestBody;
}

/** The facts after admission by the database. */
export interface AdmittedFacts extends RequestFacts {
  readonly known: KnownKey;
  readonly accountId: AccountId;
  readonly admission: Admission;
}

/** Why a request is rejected: a row of the contract's errors, and the details of its answer. */
export interface Rejection {
  readonly error: ErrorName;
  /** The text, for a row without a fixed one. */
  readonly text?: string;
  /** The name of the account's network, where it is not the service's own. */
  readonly networkName?: string;
  /** The trading network's reason for refusing an order. @rule D10.refusalCodes */
  readonly refusalCode?: RefusalCode;
  /** With `insufficientScope`: the missing scope. */
  readonly requiredScope?: Scope;
  /** With a 429: when to retry. */
  readonly retryAtMs?: number;
  /** With `methodNotAllowed`: the methods that the path has. */
  readonly allow?: readonly string[];
}

/** Returns an error, or null when the request passes. */
export type Check<Facts> = (facts: Facts) => Rejection | null;

export interface Gate<Facts> {
  /** Its number in the order of checks. @rule D2.order */
  readonly place: number;
  readonly name: string;
  readonly check: Check<Facts>;
}
