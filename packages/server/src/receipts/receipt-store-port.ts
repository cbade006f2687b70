import type { UnixMs } from "@propgate/core";

/** Which request: nonces are counted for each key apart. */
export interface WriteId {
  readonly keyId: string;
  readonly nonce: string;
}

/** What is stored of a write that has arrived. */
export type WriteFate =
  /** `result`: what its sender was answered, as receipts keep it. */
  | { readonly fate: "accepted"; readonly receivedAtMs: UnixMs; readonly result: string }
  | {
      readonly fate: "rejected";
      readonly receivedAtMs: UnixMs;
      readonly status: number;
      readonly error: string;
    }
  | { readonly fate: "pending"; readonly receivedAtMs: UnixMs };

/** A write that has changed nothing. */
export interface EndedWrite extends WriteId {
  readonly status: number;
  readonly error: string;
}

/** What became of writes, each once and for ever: the first row of a nonce is its fate. */
export interface ReceiptStore {
  /** Null: no write of this key has used the nonce. */
  read(write: WriteId): Promise<WriteFate | null>;
  /**
   * Ends those that have no receipt yet. A write that is under way at that moment either has committed
   * before, and keeps its receipt, or finds this one and is not carried out.
   */
  end(writes: readonly EndedWrite[], now: UnixMs): Promise<void>;
}
