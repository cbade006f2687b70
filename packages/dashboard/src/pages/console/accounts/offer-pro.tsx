import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Choice, Field } from "../../../parts/field.tsx";
import { DeedDialog } from "../deed.tsx";
import { programsQuery } from "../queries.ts";
import { type AccountDialogProps, Whose } from "./whose.tsx";

const USUAL = "";

/** A pro account of a size, by a pro program. */
export function OfferProDialog({ account, onClose }: AccountDialogProps) {
  const programs = useQuery(programsQuery);
  const [size, setSize] = useState(String(account.size));
  const [program, setProgram] = useState(USUAL);
  const proAccountSize = Number(size);
  const isSize = size.trim() !== "" && Number.isFinite(proAccountSize) && proAccountSize > 0;
  const pro = programs.data?.items.filter(({ variant }) => variant === "pro") ?? [];
  return (
    <DeedDialog
      title="Offer a pro account?"
      label="Offer it"
      onClose={onClose}
      deed={
        isSize
          ? {
              path: `accounts/${account.accountId}/offer-pro`,
              body: { proAccountSize, ...(program === USUAL ? {} : { program }) },
            }
          : null
      }
    >
      <Whose account={account} />
      <p>
        A funded account winds down until Monday 00:00 UTC and then starts its pro challenge; one in
        its challenge starts at once. This cannot be taken back.
      </p>
      <Field
        label="Size of the pro account, USD"
        inputMode="numeric"
        value={size}
        onChange={(event) => setSize(event.target.value)}
        problem={isSize ? null : "Must be a number above 0."}
      />
      <Choice
        label="Program"
        value={program}
        onChange={setProgram}
        options={[
          { value: USUAL, text: "The usual pro one" },
          ...pro.map(({ id, version }) => ({ value: id, text: `${id} v${version}` })),
        ]}
      />
    </DeedDialog>
  );
}
