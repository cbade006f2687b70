import { authHeaders, canonicalString, DEFAULT_BRAND, signatureHeader } from "@propgate/contract";
import { base64Of, hexOf, utf8Of } from "./byte-text.ts";
import { webDigests } from "./digests.ts";

/** A request to sign, with the key and the values of its headers. */
export interface SignInput {
  /** The method in upper case, as it is sent. */
  readonly method: string;
  /** Path and query exactly as they are sent. */
  readonly target: string;
  /** The bytes that are sent, or their text; absent for a request without a body. */
  readonly body?: Uint8Array | string;
  readonly keyId: string;
  readonly secret: string;
  /** Whole milliseconds since the Unix epoch, as a number or as the text of the header. */
  readonly timestamp: number | string;
  /** A value that this key has never used. */
  readonly nonce: string;
  /** The brand word in the header names; `Service` when absent. */
  readonly brand?: string;
}

/** The headers of a signed request, and the values from which its signature was made. */
export interface Signed {
  readonly headers: Readonly<Record<string, string>>;
  /** The canonical string that was signed, for debugging a `Bad signature`. */
  readonly canonical: string;
  /** SHA-256 of the body in lower-case hex. */
  readonly bodySha256: string;
  /** The value of the signature header. */
  readonly signature: string;
}

/** Signs one request with WebCrypto, in Node, browsers, workers and other runtimes. @rule S5.canonical */
export async function sign(input: SignInput): Promise<Signed> {
  const timestamp = String(input.timestamp);
  const { method, target, nonce } = input;
  const bodySha256 = hexOf(await webDigests.sha256(bytesOf(input.body ?? "")));
  const canonical = canonicalString({ method, target, timestamp, nonce, bodySha256 });
  const mac = await webDigests.hmac(utf8Of(input.secret));
  const signature = signatureHeader(base64Of(await mac(utf8Of(canonical))));
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

function bytesOf(body: Uint8Array | string): Uint8Array {
  return typeof body === "string" ? utf8Of(body) : body;
}
