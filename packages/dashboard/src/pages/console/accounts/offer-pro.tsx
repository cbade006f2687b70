import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Choice, Field } from "../../../parts/field.tsx";
import { ActionDialog } from "../action-dialog.tsx";
import { programsQuery } from "../queries.ts";
import { type AccountDialogProps, AccountLine, shownPhase } from "./account-line.tsx";

const DEFAULT_PROGRAM = "";

/** A dialog that offers a pro account to an account, with fields for the size and the program of the pro account. */
export function OfferProDialog({ account, onClose }: AccountDialogProps) {
  const programs = useQuery(programsQuery);
  const [size, setSize] = useState(String(account.size ?? ""));
  const [program, setProgram] = useState(DEFAULT_PROGRAM);
  const proAccountSize = Number(size);
  const isSize = size.trim() !== "" && Number.isFinite(proAccountSize) && proAccountSize > 0;
  const pro = programs.data?.filter(({ variant }) => variant === "pro") ?? [];
  return (
    <ActionDialog
      title="Offer a pro account?"
      label="Offer pro account"
      onClose={onClose}
      action={
        isSize
          ? {
              name: "accounts.offerPro",
              id: account.accountId,
              body: {
                proAccountSize,
                ...(program === DEFAULT_PROGRAM ? {} : { program }),
                ...shownPhase(account),
              },
            }
          : null
      }
    >
      <AccountLine account={account} />
      <p>
        A funded account winds down until Monday 00:00 UTC, then its pro challenge starts. An
        account in its challenge starts immediately. This cannot be undone.
      </p>
      <Field
        label="Pro account size, USD"
        inputMode="numeric"
        value={size}
        onChange={(event) => setSize(event.target.value)}
        problem={isSize ? null : "Enter a number above 0."}
      />
      <Choice
        label="Program"
        value={program}
        onChange={setProgram}
        options={[
          { value: DEFAULT_PROGRAM, text: "Default pro program" },
          ...pro.map(({ id, version }) => ({ value: id, text: `${id} v${version}` })),
        ]}
      />
    </ActionDialog>
  );
}
