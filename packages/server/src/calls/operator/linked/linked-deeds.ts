import type { RepeatableCall } from "@propgate/base";
import type { OperatorPhase } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { SubaccountLinks } from "@propgate/vanta";
import type { NotOffered } from "@propgate/wire";
import type { AccountDeed, DeedResult } from "../operator-services.ts";

/** The refusal of every call that needs a validator, in a service without one. */
export const NO_VALIDATOR: NotOffered = {
  notOffered: "This service runs without a validator: PROPGATE_NETWORK is not vanta",
};

const OF_THE_VALIDATOR: Readonly<Record<Exclude<AccountDeed["deed"], "close">, string>> = {
  provision: "The validator decides when an account on it can trade",
  promote: "The validator promotes the accounts on it",
  offerPro: "The validator offers pro accounts to the accounts on it",
  eliminate: "The validator eliminates the accounts on it; close the account to end the link",
};

/** The refusal of a call on a payout of a validator's account. */
export const PAID_BY_VALIDATOR: NotOffered = {
  notOffered: "The payouts of this account are the validator's and are not recorded here",
};

/**
 * Carries out the change that an operator's call makes to an account of a validator. The only such change that is
 * offered is to close the account, which ends its link. @rule D13.phaseSeen
 */
export async function carryOutLinkedDeed(
  links: SubaccountLinks | null,
  account: { readonly accountId: AccountId; readonly phase: OperatorPhase | null },
  deed: AccountDeed,
  act: RepeatableCall | null,
): Promise<DeedResult> {
  if (deed.deed !== "close") return { notOffered: OF_THE_VALIDATOR[deed.deed] };
  if (links === null) return NO_VALIDATOR;
  if (deed.forfeit) {
    return { refused: "forfeit: the validator pays the rewards of this account", field: "forfeit" };
  }
  const { accountId, phase } = account;
  if (deed.phase !== null && deed.phase !== phase) {
    const refused = `The account is in ${phase === null ? "an unknown phase" : `the phase ${phase}`} now; read it again`;
    return { refused, field: null, code: "phase_changed" };
  }
  if ((await links.unlink(accountId)) || act?.isRepeat === true) return { closed: null };
  return { refused: "This account is closed", field: null };
}
