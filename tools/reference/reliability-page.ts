import type { FullRun, ProofRecord, ProofRow } from "../../proofs/proof.ts";
import { readProofRecord } from "../../proofs/records.ts";
import { PROOFS } from "../../proofs/registry.ts";
import { codeBlock, markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";

const RUNS = PROOFS.flatMap(({ fullRuns }) => fullRuns);

/** The page of the last full run of every proof, with the command that reproduces it. */
export function reliabilityPage(): ReferencePage {
  return {
    path: "docs/reference/reliability.md",
    content: markdownPage({
      title: "Reliability",
      source: "proofs/records",
      blocks: [
        "The promises of the service, and the result of each proof's last full run. `npm run prove -- all` runs them all again; each command below runs one.",
        markdownTable(
          ["Proof", "Last full run", "Held"],
          RUNS.map(({ record, title }) => summaryRow(title, readProofRecord(record))),
        ),
        ...RUNS.flatMap((run) => section(run, readProofRecord(run.record))),
      ],
    }),
  };
}

function summaryRow(title: string, record: ProofRecord | null): readonly string[] {
  const anchor = title
    .toLowerCase()
    .replace(/[^a-z ]/g, "")
    .replaceAll(" ", "-");
  const link = `[${title}](#${anchor})`;
  if (record === null) return [link, "never", "unknown"];
  return [link, record.at, record.passed ? "yes" : "**no**"];
}

function section({ title, promise }: FullRun, record: ProofRecord | null): readonly string[] {
  const head = [`## ${title}`, promise];
  if (record === null) return [...head, "It has not run at full size yet."];
  const figures = Object.entries(record.figures).map(([name, value]) => [name, shown(value)]);
  return [
    ...head,
    codeBlock("sh", record.command),
    markdownTable([`Run of ${record.at}`, ""], figures),
    ...(record.rows === undefined ? [] : [rowsTable(record.rows)]),
  ];
}

function rowsTable(rows: readonly ProofRow[]): string {
  const heads = Object.keys(rows[0] ?? {});
  return markdownTable(
    heads,
    rows.map((row) => heads.map((head) => shown(row[head] ?? ""))),
  );
}

function shown(value: number | string): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : value;
}
