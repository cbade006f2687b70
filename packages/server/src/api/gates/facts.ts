import type { OpenedKey } from "@propgate/access";
import type { QueryParameters, Scope, SignedEndpointName } from "@propgate/contract";
import type { AccountId, UnixMs } from "@propgate/core";
import type { Rejection } from "@propgate/wire";
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

/** The facts about a request with its body. */
export interface RequestFacts extends RequestHead {
  readonly body: RequestBody;
}

/** The facts after admission by the database. */
export interface AdmittedFacts extends RequestFacts {
  readonly known: OpenedKey;
  readonly accountId: AccountId;
  readonly admission: Admission;
}

/** Returns an error, or null when the request passes. */
export type Check<Facts> = (facts: Facts) => Rejection | null;

/** A check with its name and its number in the order of checks. */
export interface Gate<Facts> {
  /** The check's number in the order of checks. @rule D2.order */
  readonly place: number;
  readonly name: string;
  readonly check: Check<Facts>;
}
