import { type OperatorPrice, PRICE_REASON_LENGTH_MAX } from "@propgate/contract";
import { useState } from "react";
import { Field } from "../../../parts/field.tsx";
import { ActionDialog } from "../action-dialog.tsx";

/** A decision about a pair's prices, before it is confirmed. */
export type PriceDecision =
  | { readonly kind: "auto" | "halt"; readonly of: OperatorPrice }
  | { readonly kind: "use"; readonly of: OperatorPrice; readonly source: string };

/** Confirms a decision and asks for its reason, which a halt needs. */
export function ChooseDialog({
  decision,
  onClose,
}: {
  readonly decision: PriceDecision;
  readonly onClose: () => void;
}) {
  const { of } = decision;
  const [typed, setTyped] = useState("");
  const reason = typed.trim();
  const isMissing = decision.kind === "halt" && reason === "";
  return (
    <ActionDialog
      title={titleOf(decision)}
      label={LABELS[decision.kind]}
      isDangerous={decision.kind === "halt"}
      onClose={onClose}
      action={isMissing ? null : actionOf(decision, reason)}
    >
      <p>{effectOf(decision)}</p>
      {of.choice !== null && of.choice.kind !== "auto" && (
        <p className="text-muted">
          {of.choice.by} chose {of.choice.kind === "use" ? `use ${of.choice.source}` : "halt"}
          {of.choice.reason === null ? "" : `: ${of.choice.reason}`}
        </p>
      )}
      <Field
        label={decision.kind === "halt" ? "Reason" : "Reason (optional)"}
        value={typed}
        maxLength={PRICE_REASON_LENGTH_MAX}
        onChange={(event) => setTyped(event.target.value)}
        hint="Shown in the console and in the audit."
      />
    </ActionDialog>
  );
}

const LABELS = { use: "Use", auto: "Use by priority", halt: "Halt" } as const;

function titleOf(decision: PriceDecision): string {
  const { display } = decision.of;
  if (decision.kind === "use") return `Use ${decision.source} for ${display}`;
  return decision.kind === "halt" ? `Halt ${display}` : `${display} by priority`;
}

function effectOf(decision: PriceDecision): string {
  switch (decision.kind) {
    case "use":
      return `Only ${decision.source} prices the pair. When it has no fresh quote, orders are rejected and no other source is used, until you choose auto.`;
    case "auto":
      return "The first source by priority with a fresh quote prices the pair. A halt ends.";
    case "halt":
      return "The pair takes no quotes. Orders are rejected, stops and targets wait, and open positions keep their last price.";
  }
}

function actionOf(decision: PriceDecision, reason: string) {
  const { pair: id, choice } = decision.of;
  const version = choice?.version ?? 0;
  const given = reason === "" ? { version } : { version, reason };
  switch (decision.kind) {
    case "use":
      return { name: "price.use", id, body: { ...given, source: decision.source } } as const;
    case "auto":
      return { name: "price.auto", id, body: given } as const;
    case "halt":
      return { name: "price.halt", id, body: { version, reason } } as const;
  }
}
