import { ERRORS } from "@propgate/contract";
import type { Rejection, WireNetworks } from "@propgate/wire";
import { z } from "zod";
import { fieldErrorTexts, parseBody, problemReply } from "../../json/json-fields.ts";
import {
  type JsonReply,
  okReply,
  type RefusedReply,
  refusedReply,
  wrongFieldReply,
} from "../../json/json-reply.ts";
import type { AccountCall, AccountCallInput } from "./account-call.ts";

export interface FlattenOptions {
  readonly networks: WireNetworks;
}

const REQUEST = z.strictObject({ confirm: z.string(fieldErrorTexts("must be a string")) });

/**
 * POST flatten: carries out the API's FLAT_ALL, with the person's id in the journal. Like a new key, it needs a
 * confirmation by password or passkey. @rule D5.flattenAll
 */
export function flattenCall(options: FlattenOptions): AccountCall {
  return {
    name: "account.flatten",
    method: "POST",
    path: "/accounts/:id/flatten",
    changes: true,
    needsConfirmation: true,
    handle: (input) => flatten(options, input),
  };
}

async function flatten({ networks }: FlattenOptions, input: AccountCallInput): Promise<JsonReply> {
  const { account, accountId, visitor, body } = input;
  const request = parseBody(REQUEST, body, ({ confirm }) => confirm);
  if (!request.ok) return problemReply(request);
  if (request.value.toLowerCase() !== accountId) {
    return wrongFieldReply("confirm", "must be the account's id");
  }
  const answer = await networks[account.network].flatten(accountId, visitor.person.personId);
  if (!answer.ok) return notDoneReply(answer.rejection);
  const { result } = answer;
  return okReply(result, { subject: accountId, detail: result.message });
}

const UNKNOWN_FATE: RefusedReply = refusedReply(
  "The trading network did not answer in time; positions may or may not have been closed. Look at them before you try again",
  503,
);
const NETWORK_DOWN: RefusedReply = refusedReply(
  "The trading network is unreachable; nothing was closed",
  503,
);

const OWNER_CHANGING: RefusedReply = {
  ...refusedReply(
    "The account is moving to another node; nothing was closed. Try again in a second",
    503,
  ),
  headers: { "Retry-After": "1" },
};

function notDoneReply(rejection: Rejection): RefusedReply {
  const reply = refusalReply(rejection);
  return { ...reply, about: { detail: reply.error } };
}

function refusalReply({ error, text }: Rejection): RefusedReply {
  if (error === "unknownFate") return UNKNOWN_FATE;
  if (error === "ownerChanging") return OWNER_CHANGING;
  if (error === "networkDown" || error === "notCarriedOut") return NETWORK_DOWN;
  return refusedReply(text ?? ERRORS.accountNotReady.text);
}
