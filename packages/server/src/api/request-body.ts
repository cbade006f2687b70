import {
  type JsonReading,
  readJsonObject,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "@propgate/contract";

/** The bytes of a body and their JSON, which is parsed at the first call and at most once. */
export interface RequestBody {
  readonly bytes: Buffer;
  json(): JsonReading;
}

export function createRequestBody(bytes: Buffer): RequestBody {
  let reading: JsonReading | null = null;
  return {
    bytes,
    json() {
      reading ??= readJson(bytes);
      return reading;
    },
  };
}

function readJson(bytes: Buffer): JsonReading {
  try {
    return readJsonObject(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return { ok: false, problem: "request body is not valid UTF-8", member: null };
  }
}

/**
 * The error of a body above 64 KiB, which comes before every check. A read may not answer 400, so it answers the
 * error of a wrong signature (401). @rule S7.statuses @rule D2.body decides
 */
export function tooLargeError(endpoint: SignedEndpointName): "bodyTooLarge" | "badSignature" {
  return SIGNED_ENDPOINTS[endpoint].method === "POST" ? "bodyTooLarge" : "badSignature";
}
