import { isWrite, type SignedEndpointName } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

/**
 * Rejects a request whose nonce was not stored. There are two causes: the key has exceeded its hourly limit of stored
 * refusals, or a request with a later timestamp was refused without storing its nonce. @rule D10.pausedKey
 */
export const checkRefusedOften: Check<{
  readonly endpoint: SignedEndpointName;
  readonly admission: Pick<Admission, "refusedUntilMs">;
}> = ({ endpoint, admission }) => {
  const { refusedUntilMs: retryAtMs } = admission;
  if (retryAtMs === null) return null;
  if (isWrite(endpoint)) return { error: "tooManyFailedRequests", retryAtMs };
  return { error: endpoint === "getReceipt" ? "tooManyReceipts" : "rateLimited", retryAtMs };
};
