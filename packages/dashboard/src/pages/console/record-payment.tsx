import type { ConsolePayout, RecordPaymentRequest } from "@propgate/contract";
import { useState } from "react";
import { moneyText } from "../../format/numbers.ts";
import { Choice, Field } from "../../parts/field.tsx";
import { DeedDialog } from "./deed.tsx";

const NEXT = [
  { value: "processing", text: "Processing: it is on its way" },
  { value: "paid", text: "Paid: for good" },
  { value: "failed", text: "Failed: it has to be tried again" },
  { value: "pending", text: "Pending: nothing has been done yet" },
] as const;

/** Writes down how far a payment is; what is left empty stays as it was. */
export function RecordPaymentDialog({
  payout,
  onClose,
}: {
  readonly payout: ConsolePayout;
  readonly onClose: () => void;
}) {
  const [status, setStatus] = useState<RecordPaymentRequest["status"]>("processing");
  const [rail, setRail] = useState(payout.rail);
  const [provider, setProvider] = useState(payout.provider);
  const [reference, setReference] = useState(payout.reference ?? "");
  const isPaid = status === "paid";
  return (
    <DeedDialog
      title={`Record the payment of ${moneyText(payout.amount)} USD`}
      label={isPaid ? "Record as paid for good" : "Record it"}
      isDangerous={isPaid}
      onClose={onClose}
      deed={{
        path: `payouts/${encodeURIComponent(payout.id)}`,
        body: { status, ...saidOf({ rail, provider, reference }) },
      }}
    >
      <p className="rounded-box bg-raised px-3 py-2 font-mono text-xs wrap-anywhere">{payout.id}</p>
      <Choice label="How far it is" value={status} options={NEXT} onChange={setStatus} />
      <Field
        label="Rail"
        value={rail}
        maxLength={100}
        hint="How it is paid, such as bank or onchain."
        onChange={(event) => setRail(event.target.value)}
      />
      <Field
        label="Provider"
        value={provider}
        maxLength={100}
        hint="Who pays it."
        onChange={(event) => setProvider(event.target.value)}
      />
      <Field
        label="Reference"
        value={reference}
        maxLength={200}
        hint="The payer's own number for the payment."
        onChange={(event) => setReference(event.target.value)}
      />
      <p className="text-muted">
        {isPaid
          ? "The payout leaves the queue, and nothing about it can be changed any more. Its owner sees it as paid. No money is moved by this."
          : "Its owner sees this at once. No money is moved by it."}
      </p>
    </DeedDialog>
  );
}

function saidOf(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const said = Object.entries(texts).map(([name, text]) => [name, text.trim()] as const);
  return Object.fromEntries(said.filter(([, text]) => text !== ""));
}
