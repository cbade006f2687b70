import type { ConsoleAccount } from "@propgate/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../../parts/button.tsx";
import { CopyButton } from "../../../parts/copy.tsx";
import { Field } from "../../../parts/field.tsx";
import { type Deed, DeedDialog } from "../deed.tsx";
import { OfferProDialog } from "./offer-pro.tsx";
import { type AccountDialogProps, Whose } from "./whose.tsx";

type DeedName = "provision" | "promote" | "offerPro" | "close" | "eliminate";

interface Offered {
  readonly name: DeedName;
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly when: (account: ConsoleAccount) => boolean;
}

const isActive = ({ status }: ConsoleAccount): boolean => status === "active";

const OFFERED: readonly Offered[] = [
  { name: "provision", label: "Provision", when: ({ status }) => status === "provisioning" },
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
    when: ({ status }) => status === "active" || status === "provisioning",
  },
];

/** What an operator can do with one account, and where its pages are. */
export function AccountDeeds({ account }: { readonly account: ConsoleAccount }) {
  const [asked, setAsked] = useState<DeedName | null>(null);
  const { accountId } = account;
  const close = (): void => setAsked(null);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-mono text-xs wrap-anywhere">{accountId}</span>
        <CopyButton text={accountId} label="Copy id" />
        <Link to="/a/$accountId" params={{ accountId }} className="text-accent underline">
          Its pages
        </Link>
        <Link to="/a/$accountId/keys" params={{ accountId }} className="text-accent underline">
          Its keys
        </Link>
        <Link to="/console/audit" search={{ account: accountId }} className="text-accent underline">
          Its audit
        </Link>
      </div>
      <div className="flex flex-wrap gap-2">
        {OFFERED.filter(({ when }) => when(account)).map(({ name, label, isDangerous }) => (
          <Button
            key={name}
            kind={isDangerous === true ? "danger" : "plain"}
            onClick={() => setAsked(name)}
          >
            {label}
          </Button>
        ))}
      </div>
      {asked === "offerPro" && <OfferProDialog account={account} onClose={close} />}
      {asked === "eliminate" && <EliminateDialog account={account} onClose={close} />}
      {asked !== null && asked !== "offerPro" && asked !== "eliminate" && (
        <PlainDialog name={asked} account={account} onClose={close} />
      )}
    </div>
  );
}

const PLAIN = {
  provision: {
    title: "Provision this account?",
    label: "Provision it",
    what: "It can trade from now on, and its first day begins now.",
  },
  promote: {
    title: "Promote this account?",
    label: "Promote it",
    what: "It goes to its next phase as if it had reached everything that its phase asks for. This cannot be taken back.",
  },
  close: {
    title: "Close this account for good?",
    label: "Close it",
    what: "Every position is closed at the market, where it is closed at the last quote. Every order is cancelled. The week in progress and what is withheld pay nothing; closed weeks stay owed. It never trades again.",
  },
} as const;

function PlainDialog({
  name,
  account,
  onClose,
}: AccountDialogProps & { readonly name: keyof typeof PLAIN }) {
  const { title, label, what } = PLAIN[name];
  return (
    <DeedDialog
      title={title}
      label={label}
      isDangerous={name === "close"}
      onClose={onClose}
      deed={{ path: `accounts/${account.accountId}/${name}` }}
    >
      <Whose account={account} />
      <p>{what}</p>
    </DeedDialog>
  );
}

function EliminateDialog({ account, onClose }: AccountDialogProps) {
  const [reason, setReason] = useState("");
  const said = reason.trim();
  const deed: Deed | null =
    said === ""
      ? null
      : { path: `accounts/${account.accountId}/eliminate`, body: { reason: said } };
  return (
    <DeedDialog
      title="Eliminate this account?"
      label="Eliminate it"
      isDangerous
      onClose={onClose}
      deed={deed}
    >
      <Whose account={account} />
      <p>
        Every position is closed at the market and every order cancelled. Closed weeks stay owed,
        the one in progress is lost. It never trades again.
      </p>
      <Field
        label="Reason"
        value={reason}
        maxLength={200}
        required
        hint="Its owner and every client of the API read this; the audit keeps it."
        onChange={(event) => setReason(event.target.value)}
      />
    </DeedDialog>
  );
}
