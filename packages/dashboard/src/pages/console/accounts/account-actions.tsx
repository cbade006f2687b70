import type { OperatorAccount } from "@propgate/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../../parts/button.tsx";
import { CopyButton } from "../../../parts/copy.tsx";
import { Checkbox, Field } from "../../../parts/field.tsx";
import { ActionDialog, type OperatorAction } from "../action-dialog.tsx";
import { type AccountDialogProps, AccountLine, shownPhase } from "./account-line.tsx";
import { OfferProDialog } from "./offer-pro.tsx";

type ActionName = "provision" | "promote" | "offerPro" | "close" | "eliminate";

interface OfferedAction {
  readonly name: ActionName;
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly when: (account: OperatorAccount) => boolean;
}

const isOwn = ({ network }: OperatorAccount): boolean => network === "embedded";
const isActive = (account: OperatorAccount): boolean =>
  isOwn(account) && account.status === "active";

const OFFERED: readonly OfferedAction[] = [
  {
    name: "provision",
    label: "Provision",
    when: (account) => isOwn(account) && account.status === "provisioning",
  },
  { name: "promote", label: "Promote", when: isActive },
  { name: "offerPro", label: "Offer pro", when: isActive },
  {
    name: "close",
    label: "Close",
    isDangerous: true,
    when: ({ status }) => status !== "closed",
  },
  {
    name: "eliminate",
    label: "Eliminate",
    isDangerous: true,
    when: (account) => isActive(account) || (isOwn(account) && account.status === "provisioning"),
  },
];

/** The operator's actions for one account, and links to its pages. */
export function AccountActions({ account }: { readonly account: OperatorAccount }) {
  // A dialog keeps the account with which it was opened, so that its call names the phase that the dialog shows.
  const [dialog, setDialog] = useState<{ name: ActionName; shown: OperatorAccount } | null>(null);
  const { accountId } = account;
  const close = (): void => setDialog(null);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-mono text-xs wrap-anywhere">{accountId}</span>
        <CopyButton text={accountId} label="Copy id" />
        <Link to="/a/$accountId" params={{ accountId }} className="text-accent underline">
          Account pages
        </Link>
        <Link to="/a/$accountId/keys" params={{ accountId }} className="text-accent underline">
          API keys
        </Link>
        <Link to="/console/audit" search={{ account: accountId }} className="text-accent underline">
          Audit
        </Link>
      </div>
      <div className="flex flex-wrap gap-2">
        {OFFERED.filter(({ when }) => when(account)).map(({ name, label, isDangerous }) => (
          <Button
            key={name}
            kind={isDangerous === true ? "danger" : "plain"}
            onClick={() => setDialog({ name, shown: account })}
          >
            {label}
          </Button>
        ))}
      </div>
      {!isOwn(account) && (
        <p className="max-w-prose text-xs text-muted">
          The validator promotes, provisions and eliminates this account. Closing it here ends the
          link, and the subaccount stays as it is.
        </p>
      )}
      {dialog !== null && <Dialog name={dialog.name} account={dialog.shown} onClose={close} />}
    </div>
  );
}

function Dialog({ name, ...props }: AccountDialogProps & { readonly name: ActionName }) {
  switch (name) {
    case "offerPro":
      return <OfferProDialog {...props} />;
    case "eliminate":
      return <EliminateDialog {...props} />;
    case "provision":
    case "promote":
    case "close":
      return <PlainDialog name={name} {...props} />;
  }
}

const PLAIN = {
  provision: {
    title: "Provision this account?",
    label: "Provision account",
    what: "The account can trade from now on. Its first day begins now.",
  },
  promote: {
    title: "Promote this account?",
    label: "Promote account",
    what: "The account moves to its next phase as if it had met every requirement of this one. This cannot be undone.",
  },
  close: {
    title: "Close this account permanently?",
    label: "Close account",
    what: "Every position is closed at the market, or at the last quote if its market is closed. Every order is cancelled. The reward of the week is then owed, like closed weeks. Withheld rewards are forfeited. The account never trades again.",
  },
} as const;

const UNLINK = {
  title: "Close this account permanently?",
  label: "Close account",
  what: "The link to the subaccount ends. Its positions and orders stay open at the validator. Orders through this service are rejected from then on, and the subaccount cannot be linked again.",
};

function PlainDialog({
  name,
  account,
  onClose,
}: AccountDialogProps & { readonly name: keyof typeof PLAIN }) {
  const [forfeits, setForfeits] = useState(false);
  const isUnlinking = name === "close" && !isOwn(account);
  const { title, label, what } = isUnlinking ? UNLINK : PLAIN[name];
  return (
    <ActionDialog
      title={title}
      label={label}
      isDangerous={name === "close"}
      onClose={onClose}
      action={plainAction(name, account, forfeits)}
    >
      <AccountLine account={account} />
      <p>{what}</p>
      {name === "close" && !isUnlinking && (
        <Checkbox
          label="Forfeit the reward of the week"
          checked={forfeits}
          onChange={setForfeits}
          hint="Needed while a pair that the account holds has no fresh price."
        />
      )}
    </ActionDialog>
  );
}

/**
 * The call that provisions, promotes or closes the account. `forfeits` concerns only a closing. Null for a promotion
 * when the phase of the account is unknown.
 */
function plainAction(
  name: keyof typeof PLAIN,
  account: OperatorAccount,
  forfeits: boolean,
):
  | OperatorAction<"accounts.provision">
  | OperatorAction<"accounts.promote">
  | OperatorAction<"accounts.close">
  | null {
  const { accountId: id, phase } = account;
  switch (name) {
    case "provision":
      return { name: "accounts.provision", id, body: {} };
    case "close":
      return {
        name: "accounts.close",
        id,
        body: { ...shownPhase(account), ...(forfeits ? { forfeit: true } : {}) },
      };
    case "promote":
      return phase === null ? null : { name: "accounts.promote", id, body: { phase } };
  }
}

function EliminateDialog({ account, onClose }: AccountDialogProps) {
  const [reason, setReason] = useState("");
  const said = reason.trim();
  const action: OperatorAction<"accounts.eliminate"> | null =
    said === ""
      ? null
      : {
          name: "accounts.eliminate",
          id: account.accountId,
          body: { reason: said, ...shownPhase(account) },
        };
  return (
    <ActionDialog
      title="Eliminate this account?"
      label="Eliminate account"
      isDangerous
      onClose={onClose}
      action={action}
    >
      <AccountLine account={account} />
      <p>
        Every position is closed at the market, and every order is cancelled. Closed weeks stay
        owed. The week in progress is lost. The account never trades again.
      </p>
      <Field
        label="Reason"
        value={reason}
        maxLength={200}
        required
        hint="The owner and API clients can read the reason. The audit keeps it."
        onChange={(event) => setReason(event.target.value)}
      />
    </ActionDialog>
  );
}
