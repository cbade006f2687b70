import type { ErrorName, QueryParameters, Scope, SignedEndpointName } from "@propgate/contract";
import type { AccountId, UnixMs } from "@propgate/core";
import type { KnownKey } from "../../keys/key-cache.ts";
import type { Admission } from "../admission.ts";
import type { RequestBody } from "../request-body.ts";

/** The four headers as sent; an absent one is empty. @rule S5.headers */
export interface Credentials {
  readonly keyId: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

/** What is known of any request, whoever sent it. */
export interface RequestFacts {
  readonly endpoint: SignedEndpointName;
  readonly method: "GET" | "POST";
  readonly scope: Scope;
  /** Path and query exactly as sent. */
  readonly target: string;
  readonly query: QueryParameters;
  readonly body: RequestBody;
  readonly credentials: Credentials;
  readonly now: UnixMs;
  readonly address: string;
}

/** After the key id was looked up and the signature compared. */
export interface KeyedFacts extends RequestFacts {
  readonly known: KnownKey | null;
  readonly signatureMatches: boolean;
}

/** After the database has admitted it. */
export interface AdmittedFacts extends RequestFacts {
  readonly known: KnownKey;
  readonly accountId: AccountId;
  readonly admission: Admission;
}

/** Why a request goes no further: a row of the contract's errors, and what its answer needs. */
export interface Rejection {
  readonly error: ErrorName;
  /** Where the row leaves the wording open: the text itself. */
  readonly text?: string;
  /** With `insufficientScope`: the scope that the key would need. */
  readonly requiredScope?: Scope;
  /** With a 429: when to come back. */
  readonly retryAtMs?: number;
  /** With `methodNotAllowed`: the methods that the path has. */
  readonly allow?: readonly string[];
}

/** Looks at what it needs and names an error, or nothing. */
export type Check<Facts> = (facts: Facts) => Rejection | null;

export interface Gate<Facts> {
  /** Its number in the order of checks. @rule D2.order */
  readonly place: number;
  readonly name: string;
  readonly check: Check<Facts>;
}
