import type { Readable } from "node:stream";

const MARK = "\u0000file:";

/** A worker prints it before each test file: the output after it belongs to this file. */
export function markOf(file: string): string {
  return `${MARK}${file}\n`;
}

/** The output of the test files and of the processes that they started. */
export class OutputByFile {
  /** The chunks of each stream of each worker, which runs one file after another. */
  readonly #streams: string[][] = [];

  add(file: string, text: string): void {
    this.#streams.push([markOf(file), text]);
  }

  follow(worker: Readable): void {
    const chunks: string[] = [];
    this.#streams.push(chunks);
    worker.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  }

  /** In order for each stream; empty when the file printed nothing. `""` has the output outside of any file. */
  of(file: string): string {
    return this.#parts()
      .filter((part) => part.file === file)
      .map(({ text }) => text)
      .join("");
  }

  /** The distinct matches in the whole output. */
  matches(pattern: RegExp): readonly string[] {
    return [...new Set(this.#parts().flatMap(({ text }) => text.match(pattern) ?? []))];
  }

  #parts(): readonly { readonly file: string; readonly text: string }[] {
    return this.#streams.flatMap((chunks) => {
      const [before = "", ...marked] = chunks.join("").split(MARK);
      const parts = marked.map((part) => {
        const end = part.indexOf("\n");
        return { file: part.slice(0, end), text: part.slice(end + 1) };
      });
      return [{ file: "", text: before }, ...parts];
    });
  }
}
