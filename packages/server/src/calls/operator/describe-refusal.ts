import type { Refusal } from "@propgate/core";
import { refusalText } from "@propgate/wire";

/** Shorter texts than those for a trader whose order is refused. */
const WORDS: Readonly<Partial<Record<Refusal["code"], string>>> = {
  accountClosed: "The account is closed",
  accountEliminated: "The account is eliminated",
  accountNotReady: "The account is not provisioned yet",
  payoutSettled: "The payout is paid already",
};

/** Why the network refused the operator's command. */
export function describeRefusal(refusal: Refusal): string {
  return WORDS[refusal.code] ?? refusalText(refusal, "topLevel");
}
