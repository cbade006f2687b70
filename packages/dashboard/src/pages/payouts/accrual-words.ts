import type { Account, Bucket, Payouts } from "@propgate/contract";

/** Why an account earns nothing where the network files it, and what changes that. */
const EARNS_NOTHING: Readonly<Record<Bucket, string>> = {
  SUBACCOUNT_CHALLENGE:
    "An evaluation earns no payouts. They begin with the week in which its target is reached.",
  SUBACCOUNT_FUNDED: "The account is funded, but not trading yet.",
  PRO_CHALLENGE_TRANSITION: "The account winds down for its pro account.",
  PRO_CHALLENGE_FROM_STANDARD: "The pro account is not trading yet.",
  PRO_CHALLENGE_DIRECT:
    "A pro challenge that follows an evaluation earns no payouts. They begin once its objectives are met.",
  PRO_FUNDED: "The account is funded, but not trading yet.",
  ELIMINATED:
    "The account has ended. Its last week is lost; what its closed weeks earned is still paid.",
};

/** What the estimate of the week in progress is worth, in words; null: it speaks for itself. */
export function accrualWords(
  { accrualStatus, accrual }: Pick<Payouts, "accrualStatus" | "accrual">,
  account: Account | null,
): string | null {
  switch (accrualStatus) {
    case "ok":
      return accrual?.estimatedAmount === null
        ? "Nothing was traded this week yet: the estimate begins with the first fill."
        : null;
    case "not_applicable":
      return account === null
        ? "The account earns nothing in its present phase."
        : EARNS_NOTHING[account.challenge.bucket];
    case "unavailable":
      return "What is open cannot be valued at the moment: the estimate is back with fresh prices. What closed weeks are owed does not depend on it.";
    case "omitted":
      return "The estimate was not sent with this page. Load it again.";
  }
}
