import { MARKET_NAMES, type OpenAccountRequest, OWN_ASSET_CLASSES } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../../parts/button.tsx";
import { CopyButton } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Checkbox, Choice, Field } from "../../../parts/field.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { ActionFailure, useAction } from "../action-dialog.tsx";
import { programsQuery } from "../queries.ts";

const DEFAULT_PROGRAM = "";

interface AccountChoices {
  readonly size: string;
  readonly program: string;
  readonly ownerId: string;
  readonly assetClass: (typeof OWN_ASSET_CLASSES)[number];
  readonly drawdownCriteria: "static" | "trailing";
  readonly dailyLossPct: string;
  readonly tier: "1" | "2" | "3";
  readonly provisioned: boolean;
}

const INITIAL_CHOICES: AccountChoices = {
  size: "100000",
  program: DEFAULT_PROGRAM,
  ownerId: "",
  assetClass: "all_markets",
  drawdownCriteria: "static",
  dailyLossPct: "",
  tier: "1",
  provisioned: true,
};

const TIERS = { "1": 1, "2": 2, "3": 3 } as const;

/** The body of the call. A field that is empty is left out, so the service uses its default. */
function requestOf(ordered: AccountChoices): OpenAccountRequest {
  const { assetClass, drawdownCriteria, provisioned } = ordered;
  const ownerId = ordered.ownerId.trim();
  const dailyLossPct = ordered.dailyLossPct.trim();
  return {
    size: Number(ordered.size),
    assetClass,
    drawdownCriteria,
    provisioned,
    tier: TIERS[ordered.tier],
    ...(ordered.program === DEFAULT_PROGRAM ? {} : { programId: ordered.program }),
    ...(ownerId === "" ? {} : { ownerId }),
    ...(dailyLossPct === "" ? {} : { dailyLossPct: Number(dailyLossPct) }),
  };
}

/** A dialog that opens an account, with a field for each option. Afterwards it shows the account's id. */
export function OpenAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const [ordered, setOrdered] = useState(INITIAL_CHOICES);
  const opening = useAction<"accounts.open">();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    opening.mutate({ name: "accounts.open", body: requestOf(ordered) });
  };
  return (
    <Dialog title="Open an account" open onClose={onClose}>
      {opening.data === undefined ? (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <Choices ordered={ordered} onChange={setOrdered} />
          <p className="text-muted">
            The account opens immediately{ordered.provisioned ? " and can trade" : ""}. It keeps the
            terms of the program's newest version permanently.
          </p>
          <ActionFailure error={opening.error} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" kind="primary" disabled={opening.isPending}>
              Open account
            </Button>
          </div>
        </form>
      ) : (
        <OpenedAccount accountId={opening.data.accountId} onClose={onClose}>
          The account is open.
        </OpenedAccount>
      )}
    </Dialog>
  );
}

function Choices({
  ordered,
  onChange,
}: {
  readonly ordered: AccountChoices;
  readonly onChange: (ordered: AccountChoices) => void;
}) {
  const programs = useQuery(programsQuery);
  const sold = programs.data?.filter(({ variant }) => variant === "classic") ?? [];
  const set = (part: Partial<AccountChoices>): void => onChange({ ...ordered, ...part });
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <Field
        label="Size, USD"
        inputMode="numeric"
        required
        value={ordered.size}
        onChange={(event) => set({ size: event.target.value })}
      />
      <Choice
        label="Program"
        value={ordered.program}
        onChange={(program) => set({ program })}
        options={[
          { value: DEFAULT_PROGRAM, text: "Default program" },
          ...sold.map(({ id, version }) => ({ value: id, text: `${id} v${version}` })),
        ]}
      />
      <Field
        label="Owner id"
        value={ordered.ownerId}
        onChange={(event) => set({ ownerId: event.target.value })}
        hint="Leave empty to create a new owner."
      />
      <Choice
        label="Markets"
        value={ordered.assetClass}
        onChange={(assetClass) => set({ assetClass })}
        options={OWN_ASSET_CLASSES.map((value) => ({ value, text: MARKET_NAMES[value] }))}
      />
      <Choice
        label="Drawdown"
        value={ordered.drawdownCriteria}
        onChange={(drawdownCriteria) => set({ drawdownCriteria })}
        options={[
          { value: "static", text: "Static" },
          { value: "trailing", text: "Trailing" },
        ]}
      />
      <Field
        label="Daily loss, percent"
        inputMode="decimal"
        value={ordered.dailyLossPct}
        onChange={(event) => set({ dailyLossPct: event.target.value })}
        hint="Leave empty for the program's default."
      />
      <Choice
        label="Leverage tier"
        value={ordered.tier}
        onChange={(tier) => set({ tier })}
        options={[
          { value: "1", text: "Tier 1" },
          { value: "2", text: "Tier 2" },
          { value: "3", text: "Tier 3" },
        ]}
      />
      <div className="self-center">
        <Checkbox
          label="Provisioned"
          checked={ordered.provisioned}
          onChange={(provisioned) => set({ provisioned })}
          hint="If unchecked, the account can trade only after you provision it."
        />
      </div>
    </div>
  );
}

/** Shows the id of a new account, and the link to its keys. */
export function OpenedAccount({
  accountId,
  onClose,
  children,
}: {
  readonly accountId: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-4">
      <Notice kind="ok">{children}</Notice>
      <div className="flex flex-wrap items-center gap-3">
        <span className="font-mono text-xs wrap-anywhere">{accountId}</span>
        <CopyButton text={accountId} label="Copy id" />
      </div>
      <div className="flex flex-wrap justify-end gap-4">
        <Link
          to="/a/$accountId/keys"
          params={{ accountId }}
          className="self-center text-accent underline"
        >
          Create an API key
        </Link>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}
