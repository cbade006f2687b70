import type { RefusalCode } from "@propgate/contract";
import type { Event, UnixMs } from "@propgate/core";

/** Identifies a request: each key has its own nonces. */
export interface WriteId {
  readonly keyId: string;
  readonly nonce: string;
}

/** The source of the answer to an order. */
export interface AnswerSource {
  /** All events that the order's command wrote; none when the order changed nothing. */
  readonly events: readonly Event[];
  /** JSON: the part of the answer that the events do not contain. */
  readonly rest: string;
}

/** The stored fate of a write. */
export type WriteFate =
  | {
      readonly fate: "accepted";
      readonly receivedAtMs: UnixMs;
      /** Its text in the stored form for orders of linked accounts. */
      readonly result: AnswerSource | string;
    }
  | {
      readonly fate: "rejected";
      readonly receivedAtMs: UnixMs;
      readonly status: number;
      readonly error: string;
      /** Null unless the trading network refused the order. @rule D10.refusalCodes */
      readonly refusalCode: RefusalCode | null;
    }
  | {
      readonly fate: "pending";
      readonly receivedAtMs: UnixMs;
      /** When the order was handed to a validator that has not answered it; else null. */
      readonly sentAtMs: UnixMs | null;
    }
  /** Another request of the key used the nonce, so no order can use it. @rule D13.withdrawn */
  | { readonly fate: "withdrawn"; readonly receivedAtMs: null };

/** A rejected write, which changed nothing. */
export interface EndedWrite extends WriteId {
  readonly status: number;
  readonly error: string;
  /** Null unless the trading network refused the order. */
  readonly refusalCode: RefusalCode | null;
}

/** A rejected write that was admitted; whether it has changed anything is not known. */
export interface UndecidedWrite extends EndedWrite {
  /** The time that is stored with its nonce. */
  readonly admittedAtMs: UnixMs;
}

/** The fates of writes. Each is stored once and never changes: the first row of a nonce decides. */
export interface ReceiptStore {
  /** Null when this key has not used the nonce. */
  read(write: WriteId): Promise<WriteFate | null>;
  /**
   * Closes the writes without a receipt. A concurrent write has either committed before and keeps
   * its receipt, or finds this one and is not carried out. Writes that are being sent to a validator stay
   * pending. None of the writes may be handed to a validator at the same time.
   */
  end(writes: readonly EndedWrite[], now: UnixMs): Promise<void>;
  /**
   * The same for writes that may be handed to a validator at the same time: each is either closed and not sent, or
   * stays pending. A write whose nonce was not stored at its time of admission is left out: another request may use
   * the nonce.
   */
  endUndecided(writes: readonly UndecidedWrite[], now: UnixMs): Promise<void>;
}
