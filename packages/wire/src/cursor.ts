import { createHmac, timingSafeEqual } from "node:crypto";
import { type AccountId, unixMs } from "@propgate/core";
import type { PayoutsPosition } from "@propgate/ledger";

/** Encodes a position in an account's payouts as an opaque string, and decodes it. */
export interface PayoutCursorCodec {
  readonly encode: (accountId: AccountId, position: PayoutsPosition) => string;
  /** Null for a string that `encode` did not make for this account. */
  readonly decode: (accountId: AccountId, cursor: string) => PayoutsPosition | null;
}

const TAG_BYTES = 16;
const TIME = /^\d{1,16}$/;

/**
 * Encodes the position of the next page with an HMAC as an opaque cursor, and decodes it again. Decoding gives null for
 * a text that was not made for this account: the HMAC covers the account, so a cursor of another account is as invalid
 * as an invented one. @rule S4.1.cursor D4.cursors decides
 */
export function createPayoutCursorCodec(secret: Uint8Array): PayoutCursorCodec {
  const tagOf = (accountId: AccountId, body: Buffer): Buffer =>
    createHmac("sha256", secret)
      .update(`payouts-cursor\n${accountId}\n`)
      .update(body)
      .digest()
      .subarray(0, TAG_BYTES);
  return {
    encode(accountId, { periodStartMs, id }) {
      const body = Buffer.from(`${periodStartMs}:${id}`, "utf8");
      return Buffer.concat([tagOf(accountId, body), body]).toString("base64url");
    },
    decode(accountId, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      if (bytes.length <= TAG_BYTES || bytes.toString("base64url") !== cursor) return null;
      const body = bytes.subarray(TAG_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(accountId, body))) return null;
      const [time = "", ...id] = body.toString("utf8").split(":");
      return TIME.test(time) ? { periodStartMs: unixMs(Number(time)), id: id.join(":") } : null;
    },
  };
}
