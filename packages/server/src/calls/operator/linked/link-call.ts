import { problemReply } from "../../json/json-fields.ts";
import { notOfferedReply, okReply, refusedReply, wrongFieldReply } from "../../json/json-reply.ts";
import { isNewOwner } from "../new-owner.ts";
import type { OperatorHandler } from "../operator-reply.ts";
import { parseLink } from "../operator-requests.ts";
import { NO_VALIDATOR } from "./linked-deeds.ts";

/** Links a subaccount of the validator to a new account of an owner. */
export const linkAccount: OperatorHandler<"accounts.link"> = async (
  { services },
  { body, act },
) => {
  const { links } = services;
  if (links === null) return notOfferedReply(NO_VALIDATOR);
  const request = parseLink(body);
  if (!request.ok) return problemReply(request);
  const newOwner = await isNewOwner(services, request.value.ownerId);
  const linked = await links.link(request.value, act);
  const { subaccount } = request.value;
  if (linked.ok) {
    const { accountId } = linked;
    return okReply({ accountId, newOwner }, { subject: subaccount, accountId });
  }
  const { field, refused: reason } = linked;
  // A refusal without a field comes from the validator. A later attempt may succeed, so it is a 503.
  const reply = field === null ? refusedReply(reason, 503) : wrongFieldReply(field, reason);
  return { ...reply, about: { subject: subaccount } };
};
