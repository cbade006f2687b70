import type { Readable } from "node:stream";

const FILE_MARKER = "\u0000file:";

/** The line that a worker prints before each test file. The output after it belongs to that file. */
export function fileMarkerLine(file: string): string {
  return `${FILE_MARKER}${file}\n`;
}

/** The output of the test files and of the processes that they started. */
export class OutputByFile {
  /**
   * An entry for each stream of each worker, which runs one file after another, and one for each text that `add` got.
   * An entry has its chunks in order.
   */
  readonly #streams: string[][] = [];

  add(file: string, text: string): void {
    this.#streams.push([fileMarkerLine(file), text]);
  }

  follow(worker: Readable): void {
    const chunks: string[] = [];
    this.#streams.push(chunks);
    worker.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  }

  /**
   * The output of a file, in order within each stream; empty when it printed none. `of("")` is the output outside of
   * any file.
   */
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
      const [before = "", ...marked] = chunks.join("").split(FILE_MARKER);
      const parts = marked.map((part) => {
        const end = part.indexOf("\n");
        return { file: part.slice(0, end), text: part.slice(end + 1) };
      });
      return [{ file: "", text: before }, ...parts];
    });
  }
}
