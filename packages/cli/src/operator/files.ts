import { isRecord } from "@propgate/contract";
import type { OperatorFile } from "@propgate/operator";
import type { Terminal } from "../terminal.ts";

/**
 * Writes a file to standard output. Standard error ends with the place where the next file of events begins; without
 * that line the file is not complete. @rule D9.firehose
 */
export async function writeFile(terminal: Terminal, file: OperatorFile): Promise<void> {
  const decoder = new TextDecoder();
  for await (const part of file.content) terminal.out(decoder.decode(part, { stream: true }));
  if (file.next !== null) terminal.error(`next ${file.next}\n`);
}

/** The result of a row: as JSON, or for a person a refusal alone. */
export function bulkLine(line: unknown, isJson: boolean): string | null {
  if (isJson) return JSON.stringify(line);
  if (!isRecord(line) || line.status === 200) return null;
  return `row ${String(line.row)}: ${String(line.error)}`;
}
