import { SIGNED_ENDPOINTS, type SignedEndpointName } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

type Needs = { readonly endpoint: SignedEndpointName; readonly admission: Admission };

/**
 * Rejects, with 404, a request whose account does not have the endpoint. A closed account has at most its payouts. An
 * account that is not set up has the endpoints with `beforeSetup`; its orders reach the network, which refuses them as
 * not ready, and have receipts. @rule S3.accrualStatus @rule D2.11 D8.states decides
 */
export const checkAccount: Check<Needs> = (needs) => {
  const { endpoint, admission } = needs;
  const status = admission.account?.status ?? "closed";
  switch (status) {
    case "active":
    case "eliminated":
      return null;
    case "closed":
      return mayReadClosed(needs) ? null : { error: "accountNotFound" };
    case "provisioning":
      return SIGNED_ENDPOINTS[endpoint].beforeSetup ? null : { error: "accountNotFound" };
  }
};

/**
 * Payouts that are owed stay readable after an account is closed. A closed linked account has none here.
 * @rule D13.closing
 */
function mayReadClosed({ endpoint, admission }: Needs): boolean {
  return endpoint === "getPayouts" && admission.account?.network === "embedded";
}
