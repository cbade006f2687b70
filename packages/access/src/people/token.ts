import { createHash } from "node:crypto";
import type { Chance } from "@propgate/base";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a session, of a known browser or of a one-time link. Only its hash is stored. */
export interface Token {
  readonly text: string;
  readonly hash: Uint8Array;
}

export function generateToken(chance: Chance): Token {
  const text = Buffer.from(chance.bytes(TOKEN_BYTES)).toString("base64url");
  return { text, hash: hashOf(text) };
}

/** The hash of a token; null when the text does not have the form of a token. */
export function tokenHash(text: string): Uint8Array | null {
  return TOKEN.test(text) ? hashOf(text) : null;
}

/** A token has 256 random bits, so its hash need not be a slow one. */
function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
