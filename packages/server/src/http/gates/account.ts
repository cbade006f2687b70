import type { EndpointName } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

type Needs = { readonly endpoint: EndpointName; readonly admission: Admission };

/**
 * The bound account resolves. One that is still being set up takes no orders yet and has nothing
 * to read but an empty list of payouts. @rule S7 D2.11 D8 D9
 */
export const account: Check<Needs> = ({ endpoint, admission }) => {
  const status = admission.account?.status ?? "closed";
  switch (status) {
    case "active":
    case "eliminated":
      return null;
    case "closed":
      return { error: "account_not_found" };
    case "provisioning":
      return whileProvisioning(endpoint);
  }
};

function whileProvisioning(endpoint: EndpointName): ReturnType<Check<Needs>> {
  if (endpoint === "getPayouts") return null;
  return { error: endpoint === "placeOrder" ? "account_not_ready" : "account_not_found" };
}
