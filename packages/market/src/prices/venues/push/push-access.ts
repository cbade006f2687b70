import { createHash, createSecretKey, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { signatureMatches } from "@propgate/access";
import type { Clock } from "@propgate/base";
import { authHeaderKeys, canonicalString, isNonce, parseTimestamp } from "@propgate/contract";

/** The key id of signed requests; the token is the key's secret. */
const PUSH_KEY_ID = "push";
/** Prices of another age are stale, so the allowed skew is smaller than that of the API. */
const PUSH_SKEW_MS = 30_000;
const NONCES_MAX = 200_000;

/** Decides who may push: the bearer of the token, or a request that it signed as the API's requests are signed. */
export interface PushAccess {
  /** Whether the request has signing headers, so that its whole body must be known first. */
  isSigned(request: IncomingMessage): boolean;
  isBearer(request: IncomingMessage): boolean;
  /** Null when the signature is right and new; else the reason, in words. */
  problemOfSigned(request: IncomingMessage, body: Buffer): string | null;
}

export function createPushAccess(options: {
  readonly token: string;
  readonly brand: string;
  readonly clock: Clock;
}): PushAccess {
  const { clock } = options;
  const names = authHeaderKeys(options.brand);
  const expected = digest(options.token);
  const material = createSecretKey(Buffer.from(options.token, "utf8"));
  const nonces = createNonces(clock);
  const header = ({ headers }: IncomingMessage, name: string): string => {
    const value = headers[name];
    return typeof value === "string" ? value : "";
  };
  return {
    isSigned: (request) => header(request, names.signature) !== "",
    isBearer(request) {
      const [, token = ""] = /^Bearer +(\S+)$/i.exec(header(request, "authorization")) ?? [];
      return timingSafeEqual(digest(token), expected);
    },
    problemOfSigned(request, body) {
      const timestamp = header(request, names.timestamp);
      const nonce = header(request, names.nonce);
      const signedAtMs = parseTimestamp(timestamp);
      if (signedAtMs === null || !isNonce(nonce)) return "missing or invalid signing headers";
      const bodySha256 = createHash("sha256").update(body).digest("hex");
      const { method = "", url: target = "" } = request;
      const canonical = canonicalString({ method, target, timestamp, nonce, bodySha256 });
      const isRight = signatureMatches(header(request, names.signature), canonical, material);
      if (!isRight || header(request, names.keyId) !== PUSH_KEY_ID) return "wrong key or signature";
      // Only after the signature: a stranger cannot fill the memory of nonces.
      if (Math.abs(clock.now() - signedAtMs) > PUSH_SKEW_MS)
        return `the timestamp is more than ${PUSH_SKEW_MS / 1_000} s from this service's clock`;
      return nonces.use(nonce, signedAtMs) ? null : "the nonce was used, or there are too many";
    },
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The nonces whose timestamps are still allowed. */
function createNonces(clock: Clock) {
  const signedAtByNonce = new Map<string, number>();
  let sweptAtMs = 0;
  const sweep = (nowMs: number): void => {
    if (Math.abs(nowMs - sweptAtMs) < PUSH_SKEW_MS) return;
    sweptAtMs = nowMs;
    for (const [nonce, signedAtMs] of signedAtByNonce)
      if (nowMs - signedAtMs > PUSH_SKEW_MS) signedAtByNonce.delete(nonce);
  };
  return {
    /** False when it was used before. */
    use(nonce: string, signedAtMs: number): boolean {
      sweep(clock.now());
      if (signedAtByNonce.has(nonce) || signedAtByNonce.size >= NONCES_MAX) return false;
      signedAtByNonce.set(nonce, signedAtMs);
      return true;
    },
  };
}
