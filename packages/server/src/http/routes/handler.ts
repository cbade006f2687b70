import type { AccountId } from "@propgate/core";
import type { AdmittedAccount } from "../../keys/admission-port.ts";
import type { Rejection } from "../gates/facts.ts";

/** What a handler gets of a request that every gate has let through. */
export interface Asked {
  readonly accountId: AccountId;
  readonly account: AdmittedAccount;
  readonly keyId: string;
  readonly nonce: string;
  /** What stands behind the question mark; null without one. */
  readonly query: string | null;
  readonly body: Buffer;
  readonly contentType: string | undefined;
}

export type Outcome =
  /** `ignored`: names of fields that the request had and nobody knows. */
  | { readonly ok: true; readonly data: unknown; readonly ignored?: readonly string[] }
  | { readonly ok: false; readonly rejection: Rejection };

/** Parse, ask, view. */
export type Handler = (asked: Asked) => Promise<Outcome>;

export function answered(data: unknown): Outcome {
  return { ok: true, data };
}

export function rejected(error: Rejection["error"], text?: string): Outcome {
  return { ok: false, rejection: text === undefined ? { error } : { error, text } };
}
