import type { ConsoleAccount } from "@propgate/contract";
import { moneyText } from "../../../format/numbers.ts";

export interface AccountDialogProps {
  readonly account: ConsoleAccount;
  readonly onClose: () => void;
}

/** Whose account it is, so that nobody changes the wrong one. */
export function Whose({ account }: { readonly account: ConsoleAccount }) {
  const { accountId, ownerId, size, programId, programVersion } = account;
  return (
    <p className="rounded-box bg-raised px-3 py-2 text-xs">
      <span className="font-mono wrap-anywhere">{accountId}</span>
      <br />
      {moneyText(size)} USD, {programId} v{programVersion}, of {ownerId}
    </p>
  );
}
