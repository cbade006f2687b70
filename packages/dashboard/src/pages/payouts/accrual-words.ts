import type { Account, AccrualItem, Bucket, Linked, Payouts } from "@propgate/contract";

/** Why an account earns no payouts at present, by its bucket. For an evaluation, also when payouts begin. */
const EARNS_NOTHING: Readonly<Record<Bucket, string>> = {
  SUBACCOUNT_CHALLENGE:
    "An evaluation earns no payouts. They begin in the week in which the target is reached.",
  SUBACCOUNT_ALPHA: "The account is funded, but not trading yet.",
  SUBACCOUNT_FUNDED: "The account is funded, but not trading yet.",
  PRO_CHALLENGE_TRANSITION: "The account is in transition to its pro account.",
  PRO_CHALLENGE_FROM_STANDARD: "The pro account is not trading yet.",
  PRO_CHALLENGE_DIRECT:
    "A pro challenge that follows an evaluation earns no payouts. They begin once its objectives are met.",
  PRO_FUNDED: "The account is funded, but not trading yet.",
  ELIMINATED: "The account has ended. Its last week is lost. Closed weeks are still paid.",
  unknown: "The network did not send the category of this account.",
};

/** Explains a missing or zero estimate of the current week; null when no explanation is needed. */
export function accrualWords(
  { accrualStatus, accrual }: Pick<Payouts<Linked>, "accrualStatus" | "accrual">,
  account: Account<Linked> | null,
): string | null {
  switch (accrualStatus) {
    case "ok":
      return accrual?.estimatedAmount === null
        ? "Nothing was traded this week. The estimate begins with the first fill."
        : null;
    case "not_applicable":
      return account === null
        ? "The account earns nothing in its present phase."
        : EARNS_NOTHING[account.challenge.bucket];
    case "unavailable":
      return "The estimate cannot be computed now, because prices or the network are not available. Closed weeks are not affected.";
    case "omitted":
      return "The estimate is missing. Reload the page.";
  }
}

/**
 * Explains the withheld amount of the accrual. A null amount means that nothing is withheld. When there is no accrual,
 * the amount is unknown.
 */
export function withheldWords(accrual: AccrualItem<Linked> | null): string {
  if (accrual === null) return "unknown";
  return accrual.deferredBalance === null ? "nothing is withheld" : "by soft breaches";
}
