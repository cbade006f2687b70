import { authHeaders, canonicalString, DEFAULT_BRAND, signatureHeader } from "@propgate/contract";

export interface SignInput {
  /** Upper case, as it is sent. */
  readonly method: string;
  /** Path and query exactly as they are sent. */
  readonly target: string;
  /** The bytes that are sent, or their text; absent for a request without a body. */
  readonly body?: Uint8Array | string;
  readonly keyId: string;
  readonly secret: string;
  /** Whole milliseconds since the Unix epoch. */
  readonly timestamp: number | string;
  /** Never used before with this key. */
  readonly nonce: string;
  /** The word in the header names; `Service` when absent. */
  readonly brand?: string;
}

export interface Signed {
  readonly headers: Readonly<Record<string, string>>;
  /** What was signed: worth a look when the answer is `Bad signature`. */
  readonly canonical: string;
  /** Lowercase hex. */
  readonly bodySha256: string;
  /** The value of the signature header. */
  readonly signature: string;
}

/** Signs one request with WebCrypto: Node, browsers' workers and other runtimes alike. @rule S5.canonical */
export async function sign(input: SignInput): Promise<Signed> {
  const timestamp = String(input.timestamp);
  const { method, target, nonce } = input;
  const bodySha256 = hex(await crypto.subtle.digest("SHA-256", bytesOf(input.body ?? "")));
  const canonical = canonicalString({ method, target, timestamp, nonce, bodySha256 });
  const digest = await hmacSha256(input.secret, canonical);
  const signature = signatureHeader(base64(digest));
  const names = authHeaders(input.brand ?? DEFAULT_BRAND);
  return {
    headers: {
      [names.keyId]: input.keyId,
      [names.timestamp]: timestamp,
      [names.nonce]: nonce,
      [names.signature]: signature,
    },
    canonical,
    bodySha256,
    signature,
  };
}

async function hmacSha256(secret: string, message: string): Promise<ArrayBuffer> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, ["sign"]);
  return crypto.subtle.sign("HMAC", key, bytesOf(message));
}

/** A copy, because WebCrypto takes no view on shared memory. */
function bytesOf(body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
}

function hex(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function base64(digest: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
