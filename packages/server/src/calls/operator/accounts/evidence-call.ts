import { notOffered } from "../../json/json-reply.ts";
import { answerEvidence } from "../../readings/account-evidence.ts";
import { type Handle, NO_ACCOUNT } from "../operator-reply.ts";
import { accountOf } from "./account-read-calls.ts";

/** Answers the evidence of an account's end. Refuses it for a network whose accounts are not decided here. */
export const showEvidence: Handle<"accounts.evidence"> = async ({ services }, call) => {
  const account = await accountOf(services, call);
  if (account === null) return NO_ACCOUNT;
  const reason = services.accounts.noDecisions(account.network);
  return reason === null
    ? answerEvidence(services, account, call.query.format)
    : notOffered(reason);
};
