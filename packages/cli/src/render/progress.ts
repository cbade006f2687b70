import type { Terminal } from "../terminal.ts";
import { bar } from "./chart.ts";

/** How far a long work is, on one line of standard error that is wiped at its end. */
export interface Progress {
  /** `share` from 0 to 1, or null when the end is not known. */
  tell(text: string, share?: number | null): void;
  end(): void;
}

const CLEAR_LINE = "\r\u001b[2K";
const BAR_WIDTH = 24;

/** Says nothing unless a person looks at standard error. */
export function progressOn(terminal: Terminal): Progress {
  if (!terminal.errorIsTerminal) return { tell: () => {}, end: () => {} };
  return {
    tell(text, share = null) {
      const drawn = share === null ? "" : `${bar(share, BAR_WIDTH)} `;
      terminal.error(`${CLEAR_LINE}${drawn}${text}`);
    },
    end: () => terminal.error(CLEAR_LINE),
  };
}

/** The same bytes, counted as they pass. */
export async function* counted(
  content: AsyncIterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of content) {
      bytes += chunk.length;
      progress.tell(`${(bytes / 1_048_576).toFixed(1)} MiB`);
      yield chunk;
    }
  } finally {
    progress.end();
  }
}
