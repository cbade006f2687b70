import { isRecord } from "@propgate/contract";
import type { OperatorFile } from "@propgate/operator";
import { escapedJson, printable, printableJson } from "../printable.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Writes a file to standard output. For a file of events, the last line on standard error has the cursor at which the
 * next file begins. When that line is missing, the file is not complete. @rule D9.firehose
 */
export async function printOperatorFile(terminal: Terminal, file: OperatorFile): Promise<void> {
  const decoder = new TextDecoder();
  const shown = file.contentType.startsWith("text/csv") ? printable : escapedJson;
  let held = "";
  for await (const part of file.content) {
    const text = held + decoder.decode(part, { stream: true });
    // A carriage return at the end of a part may belong to a line end whose line feed is in the next part, so it waits
    // for that part.
    held = text.endsWith("\r") ? "\r" : "";
    terminal.out(shown(text.slice(0, text.length - held.length)));
  }
  terminal.out(shown(held));
  if (file.next !== null) terminal.error(`next ${file.next}\n`);
}

/**
 * The output for one row of a bulk's answer: its JSON, or for a person the sentence of a refusal. Null for a person
 * when the row succeeded.
 */
export function bulkLine(line: unknown, isJson: boolean): string | null {
  if (isJson) return printableJson(line);
  if (!isRecord(line) || line.status === 200) return null;
  return `row ${String(line.row)}: ${String(line.error)}`;
}
