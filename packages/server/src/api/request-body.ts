import { type JsonReading, readJsonObject } from "@propgate/contract";

/**
 * The signed bytes and their JSON, parsed lazily and at most once; never for a GET.
 * @rule D2.getBody
 */
export interface RequestBody {
  readonly bytes: Buffer;
  json(): JsonReading;
}

export function requestBody(bytes: Buffer): RequestBody {
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
    return { ok: false, problem: "request body is not valid UTF-8" };
  }
}
