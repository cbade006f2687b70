import type { ConsolePerson } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { dayText, timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Snippet } from "../../parts/copy.tsx";
import { Field } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, Empty } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { AddPersonDialog, LinkDialog } from "./add-person.tsx";
import { DeedDialog } from "./deed.tsx";
import { peopleQuery } from "./queries.ts";

type Asked = "add" | { readonly what: "link" | "disable" | "enable"; readonly of: ConsolePerson };

/** Who may sign in: owners to their accounts, operators to everything. */
export function PeoplePage() {
  const { q = "" } = useSearch({ strict: false });
  return <People key={q} asked={q} />;
}

function People({ asked: first }: { readonly asked: string }) {
  const people = useQuery(peopleQuery);
  const [part, setPart] = useState(first);
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <>
      <h1 className="sr-only">People</h1>
      <Panel
        title="People"
        flush
        aside={
          <Button kind="primary" onClick={() => setAsked("add")}>
            Add somebody
          </Button>
        }
      >
        <div className="border-b border-line p-4">
          <Field
            label="A part of a name or of an owner's id"
            type="search"
            value={part}
            onChange={(event) => setPart(event.target.value)}
            className="max-w-md"
          />
        </div>
        <Loaded query={people} room="min-h-80">
          {(all) => <PeopleTable people={all.filter((one) => has(one, part))} onAsk={setAsked} />}
        </Loaded>
      </Panel>
      {asked !== null && <Question asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function has({ name, ownerId }: ConsolePerson, part: string): boolean {
  const sought = part.trim().toLowerCase();
  return [name, ownerId ?? ""].some((text) => text.toLowerCase().includes(sought));
}

function PeopleTable({
  people,
  onAsk,
}: {
  readonly people: readonly ConsolePerson[];
  readonly onAsk: (asked: Asked) => void;
}) {
  const columns: readonly Column<ConsolePerson>[] = [
    ...COLUMNS,
    {
      head: "Change",
      right: true,
      phone: "title",
      cell: (person) => <PersonDeeds person={person} onAsk={onAsk} />,
    },
  ];
  return (
    <Table
      label="List of people"
      columns={columns}
      rows={people}
      keyOf={({ personId }) => personId}
      empty={
        <Empty title="Nobody is called that">
          <p className="mb-3">Add somebody here, or with</p>
          <Snippet
            label="Command that adds an owner"
            text="npm run propgate -- operator person add ann --role owner"
          />
        </Empty>
      }
    />
  );
}

function PersonDeeds({
  person,
  onAsk,
}: {
  readonly person: ConsolePerson;
  readonly onAsk: (asked: Asked) => void;
}) {
  const isDisabled = person.disabledAtMs !== null;
  const what = isDisabled ? "enable" : "disable";
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      {!isDisabled && (
        <Button onClick={() => onAsk({ what: "link", of: person })}>
          New link<span className="sr-only"> for {person.name}</span>
        </Button>
      )}
      <Button kind={isDisabled ? "plain" : "danger"} onClick={() => onAsk({ what, of: person })}>
        {isDisabled ? "Enable" : "Disable"}
        <span className="sr-only"> {person.name}</span>
      </Button>
    </span>
  );
}

function Question({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  if (asked === "add") return <AddPersonDialog onClose={onClose} />;
  const { what, of } = asked;
  if (what === "link") return <LinkDialog person={of} onClose={onClose} />;
  const isDisabling = what === "disable";
  return (
    <DeedDialog
      title={isDisabling ? `Disable ${of.name}?` : `Enable ${of.name}?`}
      label={isDisabling ? "Disable" : "Enable"}
      isDangerous={isDisabling}
      onClose={onClose}
      deed={{ path: `people/${of.personId}/${what}` }}
    >
      <p>
        {isDisabling
          ? "Every session ends now, and nobody signs in as this person until it is enabled again. API keys of the accounts go on working: revoke them where that is meant."
          : "The person can sign in again with the password or passkey it had."}
      </p>
    </DeedDialog>
  );
}

const COLUMNS: readonly Column<ConsolePerson>[] = [
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
    head: "State",
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
