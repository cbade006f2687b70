import type { OperatorAccount } from "@propgate/contract";
import { moneyText } from "../../../format/numbers.ts";

export interface AccountDialogProps {
  readonly account: OperatorAccount;
  readonly onClose: () => void;
}

/** Shows the account and its owner, so that the operator does not change the wrong one. */
export function AccountLine({ account }: { readonly account: OperatorAccount }) {
  const { accountId, ownerId, size, programId, programVersion } = account;
  return (
    <p className="rounded-box bg-raised px-3 py-2 text-xs">
      <span className="font-mono wrap-anywhere">{accountId}</span>
      <br />
      {moneyText(size)} USD, {programId} v{programVersion}, of {ownerId}
    </p>
  );
}
