import { printable } from "../printable.ts";
import type { Terminal } from "../terminal.ts";
import { shareBar } from "./chart.ts";

/** The progress of long work, on one line of standard error that is cleared at the end. */
export interface Progress {
  /** `share` is from 0 to 1, or null when it is unknown. */
  show(text: string, share?: number | null): void;
  end(): void;
}

const CLEAR_LINE = "\r\u001b[2K";
const BAR_WIDTH = 24;

/** The progress on standard error. Without a terminal there it has no output. */
export function createProgress(terminal: Terminal): Progress {
  if (!terminal.errorIsTerminal) return { show: () => {}, end: () => {} };
  return {
    show(text, share = null) {
      const drawn = share === null ? "" : `${shareBar(share, BAR_WIDTH)} `;
      terminal.draw.error(`${CLEAR_LINE}${drawn}${printable(text)}`);
    },
    end: () => terminal.draw.error(CLEAR_LINE),
  };
}

/** Returns the same bytes, and shows meanwhile how many have passed. */
export async function* withProgress(
  content: AsyncIterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of content) {
      bytes += chunk.length;
      progress.show(`${(bytes / 1_048_576).toFixed(1)} MiB`);
      yield chunk;
    }
  } finally {
    progress.end();
  }
}
