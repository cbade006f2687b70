import type { OperatorAccount, OperatorPhase } from "@propgate/contract";
import { moneyText, UNKNOWN } from "../../../format/numbers.ts";

export interface AccountDialogProps {
  readonly account: OperatorAccount;
  readonly onClose: () => void;
}

export const NETWORK_NAMES: Readonly<Record<OperatorAccount["network"], string>> = {
  embedded: "Embedded",
  vanta: "Validator",
};

/** The program of an account, such as `classic v2`. An account at a validator has none. */
export function programText({ programId, programVersion }: OperatorAccount): string {
  return programId === null ? "no program" : `${programId} v${programVersion ?? UNKNOWN}`;
}

/** A phase in words: `proChallenge` becomes `pro challenge`. */
export function phaseText(phase: OperatorPhase): string {
  return phase.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/**
 * The phase that the page shows, as a field for the body of a call. The call is rejected when the account has another
 * one. @rule D13.phaseSeen
 */
export function shownPhase({ phase }: OperatorAccount): { readonly phase?: OperatorPhase } {
  return phase === null ? {} : { phase };
}

/** Shows the account and its owner in a dialog, so that the operator does not change the wrong account. */
export function AccountLine({ account }: { readonly account: OperatorAccount }) {
  const { accountId, ownerId, size, phase } = account;
  return (
    <p className="rounded-box bg-raised px-3 py-2 text-xs">
      <span className="font-mono wrap-anywhere">{accountId}</span>
      <br />
      {moneyText(size)} USD, {programText(account)}, of {ownerId}
      {phase === null ? null : `, in the phase ${phaseText(phase)}`}
    </p>
  );
}
