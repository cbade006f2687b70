import type { RefusalCode } from "@propgate/contract";
import type { Event, UnixMs } from "@propgate/core";

/** Identifies a write, which is an order request of a key, by the key and the nonce. Each key has its own nonces. */
export interface WriteId {
  readonly keyId: string;
  readonly nonce: string;
}

/** The parts from which the answer to an accepted order is rendered. */
export interface AnswerSource {
  /** All events that the order's command wrote; none when the order had no effect. */
  readonly events: readonly Event[];
  /** JSON: the part of the answer that the events do not contain. */
  readonly rest: string;
}

/** The stored fate of an order's request. */
export type WriteFate =
  | {
      readonly fate: "accepted";
      readonly receivedAtMs: UnixMs;
      /** The parts of the answer, or for an order of a linked account the stored JSON of the answer's `data`. */
      readonly result: AnswerSource | string;
    }
  | {
      readonly fate: "rejected";
      readonly receivedAtMs: UnixMs;
      readonly status: number;
      readonly error: string;
      /** The code of the refusal; null unless the trading network refused the order. @rule D10.refusalCodes */
      readonly refusalCode: RefusalCode | null;
    }
  | {
      readonly fate: "pending";
      readonly receivedAtMs: UnixMs;
      /** When the order was handed to a validator that has not answered yet; null when it was not handed to one. */
      readonly sentAtMs: UnixMs | null;
    }
  /** Another request of the key used the nonce, so no order can use it. @rule D13.withdrawn */
  | { readonly fate: "withdrawn"; readonly receivedAtMs: null };

/** A write that was rejected and had no effect. */
export interface RejectedWrite extends WriteId {
  readonly status: number;
  readonly error: string;
  /** The code of the refusal; null unless the trading network refused the order. */
  readonly refusalCode: RefusalCode | null;
}

/** A write that is to be rejected after its admission, while another process may be carrying it out. */
export interface UndecidedWrite extends RejectedWrite {
  /** The time of admission, as it is stored with the nonce. */
  readonly admittedAtMs: UnixMs;
}

/**
 * The fates of writes. A write is pending until its receipt is stored. A nonce has one receipt, which never changes:
 * the first one that was stored.
 */
export interface ReceiptStore {
  /** The fate of the write; null when this key has not used the nonce. */
  read(write: WriteId): Promise<WriteFate | null>;
  /**
   * Closes the writes that have no receipt: each gets a rejection. A concurrent write either has committed before and
   * keeps its receipt, or finds the rejection and is not carried out. Writes that are being sent to a validator stay
   * pending. No other process may hand one of these writes to a validator during the call.
   */
  closeWrites(writes: readonly RejectedWrite[], now: UnixMs): Promise<void>;
  /**
   * Closes writes that another process may hand to a validator during the call: each is either closed and not sent, or
   * stays pending. A write whose nonce was not stored at its time of admission is left out, because another request may
   * use the nonce.
   */
  closeUndecided(writes: readonly UndecidedWrite[], now: UnixMs): Promise<void>;
}
