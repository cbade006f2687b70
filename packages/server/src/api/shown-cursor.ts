import { eventCursor } from "@propgate/contract";
import type { ShownVersion } from "@propgate/ledger";
import type { Admission } from "./admission.ts";

/** The number of a hash's bytes in a cursor. */
const CURSOR_BYTES = 16;

/**
 * The cursor of the version that an answer shows; a bare sequence when its hash is not known. @rule D9.accountVersion
 */
export function shownCursor({ version, headHash }: ShownVersion): string {
  if (headHash === undefined) return String(version);
  const { buffer, byteOffset } = headHash;
  return eventCursor(version, Buffer.from(buffer, byteOffset, CURSOR_BYTES).toString("hex"));
}

/** The cursor of the account at admission; null when the account or its hash is not known. @rule D9.accountVersion */
export function admittedCursor({ account }: Pick<Admission, "account">): string | null {
  if (account === null || account.headHash === null) return null;
  return eventCursor(account.version, account.headHash);
}
