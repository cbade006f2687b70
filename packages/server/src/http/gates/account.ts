import type { SignedEndpointName } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

type Needs = { readonly endpoint: SignedEndpointName; readonly admission: Admission };

/** What makes sense before the account is set up. */
const BEFORE_SETUP: ReadonlySet<SignedEndpointName> = new Set([
  "getPayouts",
  "placeOrder",
  "previewOrder",
  "getReceipt",
]);

/**
 * The bound account resolves. One that is still being set up has nothing to read but an empty list
 * of payouts; its orders go on to the network, which says that it is not ready, and have receipts. @rule S3.accrualStatus D2.11 D8.states
 */
export const account: Check<Needs> = ({ endpoint, admission }) => {
  const status = admission.account?.status ?? "closed";
  switch (status) {
    case "active":
    case "eliminated":
      return null;
    case "closed":
      return { error: "accountNotFound" };
    case "provisioning":
      return BEFORE_SETUP.has(endpoint) ? null : { error: "accountNotFound" };
  }
};
