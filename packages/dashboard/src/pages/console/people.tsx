import type { OperatorPerson } from "@propgate/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { dayText, timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Snippet } from "../../parts/copy.tsx";
import { Checkbox } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, EmptyList, Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { ActionDialog, useSearchText } from "./action-dialog.tsx";
import { AddPersonDialog, LinkDialog } from "./add-person.tsx";
import { MoreItems } from "./more.tsx";
import { peoplePagesQuery, personKeysQuery } from "./queries.ts";
import { SearchField } from "./search-field.tsx";

type PersonDialog =
  | "add"
  | { readonly what: "link" | "disable" | "enable"; readonly of: OperatorPerson };

/** The people who may sign in. Owners see their own accounts, operators see every account. */
export function PeoplePage() {
  const { q = "" } = useSearch({ strict: false });
  return <People key={q} searched={q} />;
}

function People({ searched }: { readonly searched: string }) {
  const text = useSearchText(searched);
  const people = useInfiniteQuery(peoplePagesQuery(text.taken));
  const rows = people.data?.pages.flatMap(({ items }) => items) ?? [];
  const [dialog, setDialog] = useState<PersonDialog | null>(null);
  return (
    <>
      <h1 className="sr-only">People</h1>
      <Panel
        title="People"
        flush
        aside={
          <Button kind="primary" onClick={() => setDialog("add")}>
            Add a person
          </Button>
        }
      >
        <SearchField label="Name, or beginning of an owner id" text={text} />
        <Loaded query={people} heightClass="min-h-80">
          {() => <PeopleTable people={rows} onOpen={setDialog} />}
        </Loaded>
        <MoreItems query={people} shown={rows.length} name="People" />
      </Panel>
      {dialog !== null && <OpenDialog dialog={dialog} onClose={() => setDialog(null)} />}
    </>
  );
}

function PeopleTable({
  people,
  onOpen,
}: {
  readonly people: readonly OperatorPerson[];
  readonly onOpen: (dialog: PersonDialog) => void;
}) {
  const columns: readonly Column<OperatorPerson>[] = [
    ...COLUMNS,
    {
      head: "Action",
      right: true,
      phone: "title",
      cell: (person) => <PersonActions person={person} onOpen={onOpen} />,
    },
  ];
  return (
    <Table
      label="List of people"
      columns={columns}
      rows={people}
      keyOf={({ personId }) => personId}
      empty={
        <EmptyList title="No matching person">
          <p className="mb-3">Add a person here, or run</p>
          <Snippet
            label="Command to add an owner"
            text="npm run propgate -- operator people add ann --role owner"
          />
        </EmptyList>
      }
    />
  );
}

function PersonActions({
  person,
  onOpen,
}: {
  readonly person: OperatorPerson;
  readonly onOpen: (dialog: PersonDialog) => void;
}) {
  const isDisabled = person.disabledAtMs !== null;
  const what = isDisabled ? "enable" : "disable";
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      {!isDisabled && (
        <Button onClick={() => onOpen({ what: "link", of: person })}>
          New link<span className="sr-only"> for {person.name}</span>
        </Button>
      )}
      <Button kind={isDisabled ? "plain" : "danger"} onClick={() => onOpen({ what, of: person })}>
        {isDisabled ? "Enable" : "Disable"}
        <span className="sr-only"> {person.name}</span>
      </Button>
    </span>
  );
}

function OpenDialog({
  dialog,
  onClose,
}: {
  readonly dialog: PersonDialog;
  readonly onClose: () => void;
}) {
  if (dialog === "add") return <AddPersonDialog onClose={onClose} />;
  const { what, of } = dialog;
  if (what === "link") return <LinkDialog person={of} onClose={onClose} />;
  return <ChangePerson what={what} person={of} onClose={onClose} />;
}

/** Disables or enables a person. On request it also pauses or resumes the keys of the person's accounts. */
function ChangePerson({
  what,
  person,
  onClose,
}: {
  readonly what: "disable" | "enable";
  readonly person: OperatorPerson;
  readonly onClose: () => void;
}) {
  const isDisabling = what === "disable";
  const keys = useQuery(personKeysQuery(person.personId));
  const [withKeys, setWithKeys] = useState(false);
  const count = (isDisabling ? keys.data?.active : keys.data?.paused) ?? 0;
  const keyText = `${count} API ${count === 1 ? "key" : "keys"} of the accounts`;
  const { personId: id } = person;
  const action = isDisabling
    ? ({ name: "people.disable", id, body: { pauseKeys: withKeys } } as const)
    : ({ name: "people.enable", id, body: { resumeKeys: withKeys } } as const);
  return (
    <ActionDialog
      title={isDisabling ? `Disable ${person.name}?` : `Enable ${person.name}?`}
      label={isDisabling ? "Disable" : "Enable"}
      isDangerous={isDisabling}
      onClose={onClose}
      action={keys.isPending ? null : action}
    >
      <p>
        {isDisabling
          ? "Every session of this person ends now. The person cannot sign in until you enable them again."
          : "The person can sign in again with the earlier password or passkey."}
      </p>
      {keys.isError && <Notice kind="danger">{keys.error.message}</Notice>}
      {count > 0 && (
        <Checkbox
          label={isDisabling ? `Pause ${keyText}` : `Resume ${keyText}`}
          hint={
            isDisabling
              ? "Otherwise programs can still trade with them. Open positions and pending orders stay."
              : "The keys work again. Otherwise they stay paused."
          }
          checked={withKeys}
          onChange={setWithKeys}
        />
      )}
    </ActionDialog>
  );
}

const COLUMNS: readonly Column<OperatorPerson>[] = [
  {
    head: "Name",
    phone: "title",
    cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
  },
  { head: "Role", phone: "figure", cell: ({ role }) => role },
  {
    head: "Accounts",
    phone: "figure",
    cell: ({ ownerId }) =>
      ownerId === null ? (
        "all"
      ) : (
        <Link
          to="/console/accounts"
          search={{ q: ownerId }}
          className="text-accent underline wrap-anywhere"
        >
          of {ownerId}
        </Link>
      ),
  },
  { head: "Added", cell: ({ createdAtMs }) => dayText(createdAtMs) },
  {
    head: "Status",
    phone: "figure",
    cell: ({ disabledAtMs }) =>
      disabledAtMs === null ? (
        <Badge kind="ok">enabled</Badge>
      ) : (
        <span title={timeText(disabledAtMs)}>
          <Badge kind="danger">disabled</Badge>
        </span>
      ),
  },
];
