import type { OperatorPayout, RecordPaymentRequest } from "@propgate/contract";
import { useState } from "react";
import { decimalText } from "../../format/exact.ts";
import { moneyText } from "../../format/numbers.ts";
import { Choice, Field } from "../../parts/field.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { paidAmountOf } from "./paid-amount.ts";

const NEXT_STATUSES = [
  { value: "processing", text: "Processing: the payment has begun" },
  { value: "paid", text: "Paid: final" },
  { value: "failed", text: "Failed: needs a retry" },
  { value: "pending", text: "Pending: not started" },
] as const;

/** Records the status of a payment. A field that stays empty keeps its value. */
export function RecordPaymentDialog({
  payout,
  onClose,
}: {
  readonly payout: OperatorPayout;
  readonly onClose: () => void;
}) {
  const [status, setStatus] = useState<RecordPaymentRequest["status"]>("processing");
  const [rail, setRail] = useState(payout.rail ?? "");
  const [provider, setProvider] = useState(payout.provider ?? "");
  const [reference, setReference] = useState(payout.reference ?? "");
  const [typed, setTyped] = useState("");
  const isPaid = status === "paid";
  const { usd, problem } = paidAmountOf(isPaid ? typed : "", payout.amount);
  const body = {
    status,
    ...filledFields({ rail, provider, reference }),
    ...(usd === null ? {} : { paidAmount: usd }),
  };
  return (
    <ActionDialog
      title={`Record the payment of ${moneyText(payout.amount)} USD`}
      label={isPaid ? "Record as paid" : "Record payment"}
      isDangerous={isPaid}
      onClose={onClose}
      action={problem === null ? { name: "payouts.record", id: payout.id, body } : null}
    >
      <p className="rounded-box bg-raised px-3 py-2 font-mono text-xs wrap-anywhere">{payout.id}</p>
      <Choice label="Status" value={status} options={NEXT_STATUSES} onChange={setStatus} />
      <Field
        label="Rail"
        value={rail}
        maxLength={100}
        hint="The payment method, such as bank or onchain."
        onChange={(event) => setRail(event.target.value)}
      />
      <Field
        label="Provider"
        value={provider}
        maxLength={100}
        hint="The company that makes the payment."
        onChange={(event) => setProvider(event.target.value)}
      />
      <Field
        label="Reference"
        value={reference}
        maxLength={200}
        hint="The provider's number for the payment."
        onChange={(event) => setReference(event.target.value)}
      />
      {isPaid && (
        <Field
          label="Amount paid, USD"
          value={typed}
          inputMode="decimal"
          maxLength={20}
          hint={`In whole cents, at most a cent from ${decimalText(payout.amount)}. Empty when it is not known.`}
          problem={problem}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <p className="text-muted">
        {isPaid
          ? "The payout leaves the queue and can no longer be changed. Its owner sees it as paid. This does not move any money."
          : "The owner sees this immediately. This does not move any money."}
      </p>
    </ActionDialog>
  );
}

function filledFields(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const said = Object.entries(texts).map(([name, text]) => [name, text.trim()] as const);
  return Object.fromEntries(said.filter(([, text]) => text !== ""));
}
