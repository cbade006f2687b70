import type { KeyInUse } from "@propgate/access";
import type { AccountId, PairId } from "@propgate/core";
import type { CursorProblem, LinesRequest, OnRequestEnd } from "@propgate/ledger";

/** A stream that a client requests. */
export interface StreamRequest {
  readonly accountId: AccountId;
  readonly keyId: string;
  readonly keyInUse: KeyInUse;
  readonly after: LinesRequest["after"];
  /** The types of the core's events; null for all, empty for none. */
  readonly types: ReadonlySet<string> | null;
  readonly hasProof: boolean;
  /** The pairs whose quotes are sent. */
  readonly pairs: readonly PairId[];
  readonly everyMs: number;
  readonly untilOver: OnRequestEnd;
  readonly isStopping: () => boolean;
}

/** The frames of an opened stream, or why it was not opened. `full`: there are too many streams already. */
export type OpenedStream =
  | { readonly ok: true; readonly frames: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly problem: CursorProblem | { readonly kind: "full" } };

/** Sends the events of an account as they happen. @rule D9.stream */
export interface EventStreams {
  /** Counts the stream and opens it in one step, so that concurrent requests keep the limits. @rule D9.streamPlaces */
  open(request: StreamRequest): Promise<OpenedStream>;
}
