import { parseAccountId } from "../../json/json-fields.ts";
import { notOffered } from "../../json/json-reply.ts";
import { answerEvidence } from "../../readings/account-evidence.ts";
import { type Handle, NO_ACCOUNT } from "../operator-reply.ts";

/** Answers the evidence of an account's end. */
export const showEvidence: Handle<"accounts.evidence"> = async ({ services }, call) => {
  const id = parseAccountId(call.parameters.id);
  if (id === null) return NO_ACCOUNT;
  const reason = await services.accounts.noJournal(id);
  if (reason === "missing") return NO_ACCOUNT;
  return reason === null ? answerEvidence(services, id, call.query.format) : notOffered(reason);
};
