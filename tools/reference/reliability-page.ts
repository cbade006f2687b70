import type { Proof, ProofRecord } from "../proofs/proof.ts";
import { PROOFS } from "../proofs/proofs.ts";
import { readRecord } from "../proofs/records.ts";
import { codeBlock, markdownPage, type ReferencePage, table } from "./markdown.ts";

/** What the last full run of every proof showed, and the command that reproduces it. */
export function reliabilityPage(): ReferencePage {
  return {
    path: "docs/reference/reliability.md",
    content: markdownPage({
      title: "Reliability",
      source: "test/proofs",
      blocks: [
        "What the service is held to, and what the last full run of each proof showed. `npm run prove` runs them all again; each command below runs one.",
        table(
          ["Proof", "Last full run", "Held"],
          PROOFS.map(({ name, title }) => summaryRow(title, readRecord(name))),
        ),
        ...PROOFS.flatMap((proof) => section(proof, readRecord(proof.name))),
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

function section({ title, promise }: Proof, record: ProofRecord | null): readonly string[] {
  const head = [`## ${title}`, promise];
  if (record === null) return [...head, "It has not been run at full size yet."];
  const figures = Object.entries(record.figures).map(([name, value]) => [name, shown(value)]);
  return [
    ...head,
    codeBlock("sh", record.command),
    table([`Run of ${record.at}`, ""], figures),
    ...(record.rows === undefined ? [] : [rowsTable(record.rows)]),
  ];
}

function rowsTable(rows: NonNullable<ProofRecord["rows"]>): string {
  const heads = Object.keys(rows[0] ?? {});
  return table(
    heads,
    rows.map((row) => heads.map((head) => shown(row[head] ?? ""))),
  );
}

function shown(value: number | string): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : value;
}
