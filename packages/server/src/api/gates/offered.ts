import type { SignedEndpointName } from "@propgate/contract";
import type { NetworkName } from "../../storage/rows/network-name.ts";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

type Needs = { readonly endpoint: SignedEndpointName; readonly admission: Admission };

const OWN_PRICES =
  "the account trades at the prices of its validator, which publishes none; this service's own prices are not those";

const NO_RECORDS =
  "the account's history is kept by its validator, so this service has no events of it";

/** The endpoints that a network does not have, with the reason. @rule D9.notOffered decides */
const NOT_OFFERED: Readonly<
  Record<NetworkName, Readonly<Partial<Record<SignedEndpointName, string>>>>
> = {
  embedded: {},
  vanta: {
    getQuotes: OWN_PRICES,
    getCandles: OWN_PRICES,
    getEvents: NO_RECORDS,
    getEventStream: NO_RECORDS,
    getOrder: NO_RECORDS,
    getOrderHistory: NO_RECORDS,
    getFills: NO_RECORDS,
    cancelAllAfter:
      "the account's orders are at its validator, which has no dead man's switch; cancel or flatten in time instead",
    previewOrder:
      "the account's validator has no preview; an order's effect is known once it has answered",
  },
};

/** The account's network has the endpoint. */
export const offered: Check<Needs> = ({ endpoint, admission }) => {
  const { account } = admission;
  const reason = account === null ? undefined : NOT_OFFERED[account.network][endpoint];
  return reason === undefined ? null : { error: "notOffered", text: reason };
};
