import type { QueryParameters } from "@propgate/contract";
import type { AccountId, Instruments } from "@propgate/core";
import type { AdmittedAccount } from "../../keys/admission-port.ts";
import type { Reading, TradingNetwork } from "../../network/port.ts";
import type { Chance } from "../../random.ts";
import type { ReceiptDesk } from "../../receipts/receipt-desk.ts";
import type { Cursors } from "../cursor.ts";
import type { Rejection } from "../gates/facts.ts";
import type { RequestBody } from "../request-body.ts";

/** What a handler gets of a request that every gate has let through. */
export interface Asked {
  readonly accountId: AccountId;
  readonly account: AdmittedAccount;
  readonly keyId: string;
  readonly nonce: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly query: QueryParameters;
  readonly body: RequestBody;
  readonly contentType: string | undefined;
}

export type Outcome =
  /** `ignored`: names of fields that the request had and nobody read. */
  | { readonly ok: true; readonly data: unknown; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly rejection: Rejection };

/** Parse, ask, view. */
export type Handler = (asked: Asked) => Promise<Outcome>;

/** Everything that any handler may need; each names its own part. */
export interface HandlerNeeds {
  readonly network: TradingNetwork;
  readonly instruments: Instruments;
  readonly cursors: Cursors;
  readonly receipts: ReceiptDesk;
  readonly chance: Chance;
}

export function answered(data: unknown, ignored: readonly string[] = []): Outcome {
  return { ok: true, data, ignored };
}

export function rejected(error: Rejection["error"], text?: string): Outcome {
  return { ok: false, rejection: text === undefined ? { error } : { error, text } };
}

/** A reading as an outcome: the view of its value, or 502 or 503 without any data. @rule S7.R1 */
export function outcomeOf<Value>(
  reading: Reading<Value>,
  view: (value: Value) => unknown,
): Outcome {
  if (reading.ok) return answered(view(reading.value));
  return reading.error === "unreachable"
    ? rejected("snapshotUnavailable")
    : rejected("upstreamFailed", reading.message);
}

/** At least what the admission saw, so that no node answers with an older state. */
export function readAt({ accountId, account }: Asked): {
  readonly accountId: AccountId;
  readonly version: number;
} {
  return { accountId, version: account.version };
}
