import { type OperatorPrice, PRICE_REASON_LENGTH_MAX } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "../../../parts/field.tsx";
import { ActionDialog, ActionFailure } from "../action-dialog.tsx";
import { priceEffectQuery } from "../queries.ts";
import { SourceEffect } from "./source-effect.tsx";

/** An operator's decision about a pair's prices that has not been confirmed yet. */
export type PriceDecision =
  | { readonly kind: "auto" | "halt"; readonly of: OperatorPrice }
  | { readonly kind: "use"; readonly of: OperatorPrice; readonly source: string };

/** A dialog that asks the operator to confirm a decision and to give its reason, which a halt requires. */
export function PriceDecisionDialog({
  decision,
  onClose,
}: {
  readonly decision: PriceDecision;
  readonly onClose: () => void;
}) {
  const { of } = decision;
  const [typed, setTyped] = useState("");
  const [isFarMeant, setFarMeant] = useState(false);
  const effect = useQuery({
    ...priceEffectQuery(of.pair, decision.kind === "use" ? decision.source : ""),
    enabled: decision.kind === "use",
  });
  const reason = typed.trim();
  const isFar = effect.data?.isFar ?? false;
  const isReady =
    decision.kind === "use"
      ? effect.data !== undefined && (isFarMeant || !isFar)
      : decision.kind === "auto" || reason !== "";
  return (
    <ActionDialog
      title={titleOf(decision)}
      label={LABELS[decision.kind]}
      isDangerous={decision.kind === "halt" || isFar}
      onClose={onClose}
      action={isReady ? actionOf(decision, { reason, isFar }) : null}
    >
      <p>{effectOf(decision)}</p>
      {effect.data !== undefined && <SourceEffect tick={of.tick} effect={effect.data} />}
      <ActionFailure error={effect.error} />
      {isFar && (
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-1"
            checked={isFarMeant}
            onChange={(event) => setFarMeant(event.target.checked)}
          />
          <span>I have compared the price with the venue's own page, and it is right.</span>
        </label>
      )}
      <PresentChoice choice={of.choice} />
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

/** Shows the operator's choice in force, which the new decision replaces; empty when there is no such choice. */
function PresentChoice({ choice }: Pick<OperatorPrice, "choice">) {
  if (choice === null || choice.kind === "auto") return null;
  return (
    <p className="text-muted">
      {choice.by} chose {choice.kind === "use" ? `use ${choice.source}` : "halt"}
      {choice.reason === null ? "" : `: ${choice.reason}`}
    </p>
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

function actionOf(
  decision: PriceDecision,
  { reason, isFar }: { readonly reason: string; readonly isFar: boolean },
) {
  const { pair: id, choice } = decision.of;
  const version = choice?.version ?? 0;
  const given = reason === "" ? { version } : { version, reason };
  switch (decision.kind) {
    case "use":
      return {
        name: "prices.use",
        id,
        body: { ...given, source: decision.source, far: isFar },
      } as const;
    case "auto":
      return { name: "prices.auto", id, body: given } as const;
    case "halt":
      return { name: "prices.halt", id, body: { version, reason } } as const;
  }
}
