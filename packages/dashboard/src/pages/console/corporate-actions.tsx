import type { AnnounceActionRequest, OperatorAction } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox, Choice, Field } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { corporateActionsQuery } from "./queries.ts";

/** Announced splits and dividends of equities, the action with the latest moment first. */
export function CorporateActions() {
  const actions = useQuery(corporateActionsQuery);
  const [isAnnouncing, setAnnouncing] = useState(false);
  const [ended, setEnded] = useState<OperatorAction | null>(null);
  return (
    <Panel
      title="Corporate actions"
      flush
      aside={<Button onClick={() => setAnnouncing(true)}>Announce</Button>}
    >
      <Loaded query={actions} heightClass="min-h-24">
        {(items) => <ActionTable rows={items} onCancel={setEnded} />}
      </Loaded>
      {isAnnouncing && <AnnounceDialog onClose={() => setAnnouncing(false)} />}
      {ended !== null && (
        <ActionDialog
          title={`Cancel the ${whatText(ended)} of ${ended.pair}`}
          label="Cancel the action"
          isDangerous
          onClose={() => setEnded(null)}
          action={{ name: "corporateActions.cancel", id: ended.id, body: undefined }}
        >
          <p className="text-muted">
            It will not be carried out at {timeText(ended.atMs)} UTC. If the company acts anyway,
            accounts are valued at the new price with the old quantity.
          </p>
        </ActionDialog>
      )}
    </Panel>
  );
}

function ActionTable({
  rows,
  onCancel,
}: {
  readonly rows: readonly OperatorAction[];
  readonly onCancel: (action: OperatorAction) => void;
}) {
  const columns: readonly Column<OperatorAction>[] = [
    ...COLUMNS,
    {
      head: "Action",
      right: true,
      phone: "title",
      cell: (action) =>
        action.status === "announced" ? (
          <Button onClick={() => onCancel(action)}>
            Cancel<span className="sr-only"> {whatText(action)}</span>
          </Button>
        ) : null,
    },
  ];
  return (
    <Table
      label="Corporate actions"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      empty={
        <EmptyList title="No corporate actions">
          Announce splits and dividends of equities before they happen. Every account follows at the
          moment.
        </EmptyList>
      }
    />
  );
}

const KINDS = { announced: "info", cancelled: "notice", carriedOut: "ok" } as const;
const STATUS_WORDS = {
  announced: "announced",
  cancelled: "cancelled",
  carriedOut: "carried out",
} as const;

const COLUMNS: readonly Column<OperatorAction>[] = [
  { head: "Pair", phone: "title", cell: ({ pair }) => pair },
  { head: "What", phone: "figure", cell: whatText },
  { head: "Moment (UTC)", phone: "figure", cell: ({ atMs }) => timeText(atMs) },
  { head: "Announced by", cell: ({ announcedBy }) => announcedBy },
  {
    head: "Status",
    phone: "figure",
    cell: ({ status }) => <Badge kind={KINDS[status]}>{STATUS_WORDS[status]}</Badge>,
  },
];

function whatText({ kind, newShares, oldShares, amount }: OperatorAction): string {
  return kind === "split" ? `split ${newShares}:${oldShares}` : `dividend ${amount}`;
}

const ACTION_KINDS = [
  { value: "split", text: "Split" },
  { value: "dividend", text: "Cash dividend" },
] as const;

function AnnounceDialog({ onClose }: { readonly onClose: () => void }) {
  const [kind, setKind] = useState<AnnounceActionRequest["kind"]>("split");
  const [pair, setPair] = useState("");
  const [ratio, setRatio] = useState("");
  const [amount, setAmount] = useState("");
  const [moment, setMoment] = useState("");
  const [isAgain, setAgain] = useState(false);
  const body = bodyOf({ kind, pair, ratio, amount, moment, isAgain });
  return (
    <ActionDialog
      title="Announce a corporate action"
      label="Announce"
      onClose={onClose}
      action={body === null ? null : { name: "corporateActions.announce", body }}
    >
      <Choice label="Kind" value={kind} options={ACTION_KINDS} onChange={setKind} />
      <Field
        label="Pair"
        value={pair}
        maxLength={30}
        hint="An equity, such as AAPL."
        onChange={(event) => setPair(event.target.value)}
      />
      {kind === "split" ? (
        <>
          <Field
            label="Ratio"
            value={ratio}
            maxLength={11}
            hint="New shares for old shares: 4:1, or 1:10 for a reverse split."
            problem={ratio === "" || sharesOf(ratio) !== null ? null : NOT_A_RATIO}
            onChange={(event) => setRatio(event.target.value)}
          />
          <Checkbox
            label="A second split of the pair within seven days"
            checked={isAgain}
            onChange={setAgain}
          />
        </>
      ) : (
        <Field
          label="Amount"
          value={amount}
          maxLength={20}
          hint="For one share, in the currency of the equity."
          problem={amount === "" || Number(amount) > 0 ? null : NOT_AN_AMOUNT}
          onChange={(event) => setAmount(event.target.value)}
        />
      )}
      <Field
        label="Moment, UTC"
        type="datetime-local"
        value={moment}
        hint="Usually the opening of the market on the ex-date."
        onChange={(event) => setMoment(event.target.value)}
      />
      <p className="text-muted">
        Positions and orders from before the moment follow. The pair takes orders again with its
        first price afterwards.
      </p>
    </ActionDialog>
  );
}

/** The body of the call that announces an action; null while a field is missing or has another form. */
function bodyOf(given: {
  readonly kind: AnnounceActionRequest["kind"];
  readonly pair: string;
  readonly ratio: string;
  readonly amount: string;
  readonly moment: string;
  readonly isAgain: boolean;
}): AnnounceActionRequest | null {
  const atMs = Date.parse(`${given.moment}Z`);
  const pair = given.pair.trim();
  if (pair === "" || Number.isNaN(atMs)) return null;
  if (given.kind === "dividend") {
    const amount = Number(given.amount);
    return amount > 0 ? { kind: given.kind, pair, amount, atMs } : null;
  }
  const shares = sharesOf(given.ratio);
  if (shares === null) return null;
  const again = given.isAgain ? { again: true } : {};
  return { kind: given.kind, pair, ...shares, atMs, ...again };
}

const NOT_A_RATIO = "Enter two whole numbers with a colon, such as 4:1.";
const NOT_AN_AMOUNT = "Enter a number above 0 with a point, such as 0.24.";

/** The numbers of new and old shares in a ratio such as `4:1`; null when the text is not such a ratio. */
function sharesOf(
  ratio: string,
): { readonly newShares: number; readonly oldShares: number } | null {
  const [, newShares, oldShares] = /^\s*(\d+)\s*:\s*(\d+)\s*$/.exec(ratio) ?? [];
  if (newShares === undefined || oldShares === undefined) return null;
  return { newShares: Number(newShares), oldShares: Number(oldShares) };
}
