import { SIGNED_ENDPOINTS, type SignedEndpointName } from "@propgate/contract";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

type Needs = { readonly endpoint: SignedEndpointName; readonly admission: Admission };

/**
 * Rejects an endpoint that the account's network does not have, with `notOffered` and the reason. The service's own
 * network has every endpoint. A validator has all but those with a text in `notAtValidators`, which is the reason.
 * @rule D9.notOffered decides
 */
export const checkOffered: Check<Needs> = ({ endpoint, admission: { account } }) => {
  const { notAtValidators: text } = SIGNED_ENDPOINTS[endpoint];
  return text === null || account?.network !== "vanta" ? null : { error: "notOffered", text };
};
