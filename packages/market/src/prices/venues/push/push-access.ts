import { createHash, createSecretKey, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { signatureMatches } from "@propgate/access";
import type { Clock } from "@propgate/base";
import { authHeaderKeys, canonicalString, isNonce, parseTimestamp } from "@propgate/contract";

/** The key id in signed requests; the token is the secret of that key. */
const PUSH_KEY_ID = "push";
/**
 * The largest difference of a signed timestamp from this service's clock. It is smaller than that of the API, because
 * older prices would be stale.
 */
const PUSH_SKEW_MS = 30_000;
const NONCES_MAX = 200_000;

/**
 * Decides who may push quotes: a client that sends the token as a bearer token, or a request that is signed with the
 * token like requests of the API.
 */
export interface PushAccess {
  /** Whether the request has signing headers. Then its whole body must be read before it is checked. */
  isSigned(request: IncomingMessage): boolean;
  isBearer(request: IncomingMessage): boolean;
  /**
   * Why a signed request is rejected, in words. Null when its signature is right, its timestamp is near this service's
   * clock, and its nonce is new.
   */
  signedRequestProblem(request: IncomingMessage, body: Buffer): string | null;
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
    signedRequestProblem(request, body) {
      const timestamp = header(request, names.timestamp);
      const nonce = header(request, names.nonce);
      const signedAtMs = parseTimestamp(timestamp);
      if (signedAtMs === null || !isNonce(nonce)) return "missing or invalid signing headers";
      const bodySha256 = createHash("sha256").update(body).digest("hex");
      const { method = "", url: target = "" } = request;
      const canonical = canonicalString({ method, target, timestamp, nonce, bodySha256 });
      const isRight = signatureMatches(header(request, names.signature), canonical, material);
      if (!isRight || header(request, names.keyId) !== PUSH_KEY_ID) return "wrong key or signature";
      // Timestamp and nonce are checked only after the signature, so that a stranger cannot fill the memory of nonces.
      if (Math.abs(clock.now() - signedAtMs) > PUSH_SKEW_MS)
        return `the timestamp is more than ${PUSH_SKEW_MS / 1_000} s from this service's clock`;
      return nonces.use(nonce, signedAtMs) ? null : "the nonce was used, or there are too many";
    },
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Remembers the used nonces while their timestamps are allowed. */
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
    /** Marks a nonce as used. False when it was used before, or when too many are remembered. */
    use(nonce: string, signedAtMs: number): boolean {
      sweep(clock.now());
      if (signedAtByNonce.has(nonce) || signedAtByNonce.size >= NONCES_MAX) return false;
      signedAtByNonce.set(nonce, signedAtMs);
      return true;
    },
  };
}
