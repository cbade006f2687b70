import { isRecord } from "@propgate/contract";
import type { OperatorFile } from "@propgate/operator";
import { escapedJson, printable, printableJson } from "../printable.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Writes a file to standard output. Standard error ends with the place where the next file of events begins; without
 * that line the file is not complete. @rule D9.firehose
 */
export async function writeFile(terminal: Terminal, file: OperatorFile): Promise<void> {
  const decoder = new TextDecoder();
  const shown = file.contentType.startsWith("text/csv") ? printable : escapedJson;
  let held = "";
  for await (const part of file.content) {
    const text = held + decoder.decode(part, { stream: true });
    // A carriage return is part of a line's end only together with the character after it.
    held = text.endsWith("\r") ? "\r" : "";
    terminal.out(shown(text.slice(0, text.length - held.length)));
  }
  terminal.out(shown(held));
  if (file.next !== null) terminal.error(`next ${file.next}\n`);
}

/** The result of a row: as JSON, or for a person a refusal alone. */
export function bulkLine(line: unknown, isJson: boolean): string | null {
  if (isJson) return printableJson(line);
  if (!isRecord(line) || line.status === 200) return null;
  return `row ${String(line.row)}: ${String(line.error)}`;
}
