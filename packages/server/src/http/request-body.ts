import { isUuid, type JsonReading, readJsonObject } from "@propgate/contract";

/** A body as its bytes, which are signed, and as what they say, read once and only when asked. */
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

export type NamedAccount = "none" | "malformed" | { readonly accountId: string };

/** The account a body names; a body that cannot be read names none. @rule D2.10 */
export function namedAccount(body: RequestBody): NamedAccount {
  const reading = body.json();
  if (!reading.ok || !Object.hasOwn(reading.value, "accountId")) return "none";
  const { accountId } = reading.value;
  return typeof accountId === "string" && isUuid(accountId) ? { accountId } : "malformed";
}

function readJson(bytes: Buffer): JsonReading {
  try {
    return readJsonObject(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return { ok: false, problem: "request body is not valid UTF-8" };
  }
}
