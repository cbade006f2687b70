import type { Refusal } from "@propgate/core";
import { refusalText } from "@propgate/wire";

/**
 * The texts of some refusals for an operator, by the code of the refusal. They are shorter than the texts for a trader
 * whose order is refused.
 */
const WORDS: Readonly<Partial<Record<Refusal["code"], string>>> = {
  accountClosed: "The account is closed",
  accountEliminated: "The account is eliminated",
  accountNotReady: "The account is not provisioned yet",
  payoutSettled: "The payout is paid already",
};

/** Describes to an operator why the network refused a command. */
export function describeRefusal(refusal: Refusal): string {
  return WORDS[refusal.code] ?? refusalText(refusal, "topLevel");
}
