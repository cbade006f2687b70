import { plainText } from "../../../format/numbers.ts";
import { type Column, Table } from "../../../parts/table.tsx";
import { differingFields, type FieldDifference } from "./differing-fields.ts";
import type { ReleaseJudgement } from "./judge-journal.ts";

type Difference = NonNullable<ReleaseJudgement["different"]>;

interface ResultProps {
  readonly judgement: ReleaseJudgement;
}

/** The verdict about a journal, and the lines that could not be judged, with the reason. */
export function JudgementResult({ judgement }: ResultProps) {
  return (
    <div className="flex flex-col gap-1">
      <Verdict judgement={judgement} />
      <NotJudged judgement={judgement} />
    </div>
  );
}

function Verdict({ judgement: { different, judged, observed, lines } }: ResultProps) {
  if (different !== null) return <Different different={different} />;
  if (observed > 0) {
    return (
      <p className="text-ok" data-judgement="observed">
        ✓ The hashes of all {plainText(lines)} lines are right. They are observations of a
        validator, not decisions, so nothing can be decided again.
      </p>
    );
  }
  if (judged === 0) {
    return (
      <p className="text-warn" data-judgement="none">
        No decision of this journal could be made again. The hashes of all {plainText(lines)} lines
        are right.
      </p>
    );
  }
  return (
    <p className="text-ok" data-judgement="same">
      ✓ No line differs: {counted(judged, "decision")} made again, {counted(lines, "line")}{" "}
      compared.
    </p>
  );
}

function NotJudged({ judgement: { otherVersions, release } }: ResultProps) {
  return (
    <>
      {otherVersions.map(({ version, decisions }) => (
        <p key={version} className="text-warn" data-judgement="other-release">
          {counted(decisions, "decision")} not judged, because release {version} made them and this
          page has release {release}. Download the journal and judge it with release {version}:{" "}
          <code className="font-mono text-xs">npx @propgate/cli@{version} rejudge FILE</code>
        </p>
      ))}
    </>
  );
}

function Different({
  different: { seq, why, decided, written },
}: {
  readonly different: Difference;
}) {
  const fields = decided === null || written === null ? [] : differingFields(decided, written);
  return (
    <div data-judgement="different" className="flex flex-col gap-2">
      <p className="text-danger">
        ✗ Line {plainText(seq)} differs: {why}. Do not rely on this line or any later one. Contact
        the operator of this service.
      </p>
      {fields.length > 0 && <Fields fields={fields} />}
    </div>
  );
}

const COLUMNS: readonly Column<FieldDifference>[] = [
  {
    head: "Field",
    cell: ({ field }) => <code className="font-mono text-xs">{field}</code>,
    phone: "title",
  },
  { head: "Written", cell: ({ written }) => written, phone: "figure" },
  { head: "Decided again", cell: ({ decided }) => decided, phone: "figure" },
];

function Fields({ fields }: { readonly fields: readonly FieldDifference[] }) {
  return (
    <>
      <Table
        label="Differences"
        columns={COLUMNS}
        rows={fields}
        keyOf={({ field }) => field}
        empty={null}
      />
      <p className="text-xs text-muted">Amounts in events are whole millionths of a dollar.</p>
    </>
  );
}

function counted(count: number, noun: string): string {
  return `${plainText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
