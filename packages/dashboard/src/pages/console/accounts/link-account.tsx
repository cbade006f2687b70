import { type FormEvent, useState } from "react";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field } from "../../../parts/field.tsx";
import { ActionFailure, useAction } from "../action-dialog.tsx";
import { OpenedAccount } from "./open-account.tsx";

/** Links a subaccount of the validator to an owner. Afterwards it shows the id of the new account. */
export function LinkAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const [subaccount, setSubaccount] = useState("");
  const [ownerId, setOwnerId] = useState("");
  const [split, setSplit] = useState("100");
  const linking = useAction<"accounts.link">();
  const profitSplitPercent = Number(split);
  const isSplit = split.trim() !== "" && profitSplitPercent > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { subaccount: subaccount.trim(), ownerId: ownerId.trim(), profitSplitPercent };
    linking.mutate({ name: "accounts.link", body });
  };
  return (
    <Dialog title="Link a subaccount" open onClose={onClose}>
      {linking.data === undefined ? (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <Field
            label="Subaccount"
            required
            value={subaccount}
            onChange={(event) => setSubaccount(event.target.value)}
            hint="Its number, or its id at the validator: the entity's hotkey, _ and the number."
          />
          <Field
            label="Owner id"
            required
            value={ownerId}
            onChange={(event) => setOwnerId(event.target.value)}
            hint="The owner who sees the account and its payouts."
          />
          <Field
            label="Profit split, percent"
            inputMode="decimal"
            required
            value={split}
            onChange={(event) => setSplit(event.target.value)}
            hint="The trader's share of the amounts that the validator reports."
            problem={isSplit ? null : "Enter a number above 0."}
          />
          <ActionFailure error={linking.error} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" kind="primary" disabled={linking.isPending || !isSplit}>
              Link subaccount
            </Button>
          </div>
        </form>
      ) : (
        <OpenedAccount accountId={linking.data.accountId} onClose={onClose}>
          The subaccount is linked.
        </OpenedAccount>
      )}
    </Dialog>
  );
}
