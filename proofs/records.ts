import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../test/source-tree.ts";
import type { ProofRecord } from "./proof.ts";

/** The stored record of a proof; null when there is none. */
export function readProofRecord(name: string): ProofRecord | null {
  const path = recordPath(name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ProofRecord) : null;
}

/** Replaces the stored record of a proof. */
export function writeProofRecord(name: string, record: ProofRecord): void {
  const path = recordPath(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(record, null, 2)}\n`);
}

function recordPath(name: string): string {
  return join(ROOT, "proofs/records", `${name}.json`);
}
