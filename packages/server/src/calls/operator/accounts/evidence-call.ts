import { notOfferedReply } from "../../json/json-reply.ts";
import { answerEvidence } from "../../readings/account-evidence.ts";
import { NO_ACCOUNT, type OperatorHandler } from "../operator-reply.ts";
import { findCallAccount } from "./account-read-calls.ts";

/** Answers the evidence of an account's end. Refuses it for a network whose accounts are not decided here. */
export const showEvidence: OperatorHandler<"accounts.evidence"> = async ({ services }, call) => {
  const account = await findCallAccount(services, call);
  if (account === null) return NO_ACCOUNT;
  const reason = services.accounts.noDecisionsReason(account.network);
  return reason === null
    ? answerEvidence(services, account, call.query.format)
    : notOfferedReply(reason);
};
