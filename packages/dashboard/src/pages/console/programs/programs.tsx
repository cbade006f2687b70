import type { OperatorProgram, OperatorProgramVersions } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dayText, timeText } from "../../../format/times.ts";
import { Button } from "../../../parts/button.tsx";
import { Snippet } from "../../../parts/copy.tsx";
import { Choice, Switcher } from "../../../parts/field.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../../parts/notice.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { programQuery, programsQuery } from "../queries.ts";
import { AddProgram } from "./add-program.tsx";
import { ProgramTerms } from "./program-terms.tsx";

/** The programs with their versions, and a form that adds a version. */
export function ProgramsPage() {
  const programs = useQuery(programsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const columns: readonly Column<OperatorProgram>[] = [
    ...COLUMNS,
    {
      head: "Terms",
      right: true,
      phone: "title",
      cell: ({ id }) => (
        <Button aria-pressed={chosen === id} onClick={() => setChosen(id)}>
          Terms<span className="sr-only"> of {id}</span>
        </Button>
      ),
    },
  ];
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">Programs</h1>
      <Panel title="Programs on sale" flush>
        <Loaded query={programs} heightClass="min-h-32">
          {(items) => (
            <Table
              label="Programs"
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              empty={<EmptyList title="No programs">Add one below.</EmptyList>}
            />
          )}
        </Loaded>
      </Panel>
      {chosen !== null && <Versions key={chosen} id={chosen} />}
      <AddProgram />
    </div>
  );
}

const COLUMNS: readonly Column<OperatorProgram>[] = [
  {
    head: "Program",
    phone: "title",
    cell: ({ id }) => <span className="font-medium">{id}</span>,
  },
  {
    head: "Kind",
    phone: "figure",
    cell: ({ variant }) => <Badge kind={variant === "pro" ? "info" : "ok"}>{variant}</Badge>,
  },
  {
    head: "Current version",
    right: true,
    phone: "figure",
    cell: ({ version }) => version,
  },
  { head: "Versions", right: true, phone: "figure", cell: ({ versions }) => versions },
  { head: "Since", right: true, cell: ({ addedAtMs }) => dayText(addedAtMs) },
];

function Versions({ id }: { readonly id: string }) {
  const program = useQuery(programQuery(id));
  return (
    <Loaded query={program} heightClass="min-h-96">
      {(kept) => <Version key={kept.versions.length} kept={kept} />}
    </Loaded>
  );
}

function Version({ kept }: { readonly kept: OperatorProgramVersions }) {
  const newest = kept.versions.at(-1)?.version ?? 0;
  const [version, setVersion] = useState(String(newest));
  const [as, setAs] = useState<"terms" | "json">("terms");
  const shown = kept.versions.find((one) => String(one.version) === version);
  if (shown === undefined) return null;
  return (
    <Panel
      title={`${kept.id} v${shown.version}, added ${timeText(shown.addedAtMs)} UTC`}
      aside={
        <Switcher
          label="View"
          value={as}
          onChange={setAs}
          options={[
            { value: "terms", text: "Terms" },
            { value: "json", text: "JSON" },
          ]}
        />
      }
    >
      <div className="flex flex-col gap-4">
        {kept.versions.length > 1 && (
          <Choice
            label="Version"
            value={version}
            onChange={setVersion}
            options={kept.versions.map((one) => ({
              value: String(one.version),
              text: one.version === newest ? `${one.version} (current)` : String(one.version),
            }))}
          />
        )}
        {as === "terms" ? (
          <ProgramTerms program={shown.program} />
        ) : (
          <Snippet label="Program document" text={JSON.stringify(shown.program, null, 2)} />
        )}
      </div>
    </Panel>
  );
}
