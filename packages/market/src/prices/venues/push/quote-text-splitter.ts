/** Finds the texts of quotes in a body that arrives in chunks. Between two chunks it keeps at most one quote. */
export interface QuoteTextSplitter {
  write(piece: Buffer): void;
  /** Reports the rest. Call it when the body is complete. */
  end(): void;
}

/** Receives the texts. `line` counts the lines, or the elements of an array, from 1. */
export interface QuoteTextReports {
  /** Reports the text of one quote. */
  quote(text: string, line: number): void;
  /** Reports a text of more than `QUOTE_BYTES_MAX` bytes, which was discarded. */
  tooLong(line: number): void;
  /** Reports that the body ended within a quote or an array, or that something follows its end. */
  torn(line: number): void;
}

/** The maximum number of bytes of a quote. One with all fields has about 130 bytes. */
export const QUOTE_BYTES_MAX = 1_024;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Skips the byte order mark with which some programs begin a UTF-8 text. */
export function skipByteOrderMark(texts: QuoteTextSplitter): QuoteTextSplitter {
  let start: Buffer | null = Buffer.alloc(0);
  return {
    write(piece) {
      if (start === null) {
        texts.write(piece);
        return;
      }
      start = Buffer.concat([start, piece]);
      const mark = BYTE_ORDER_MARK.subarray(0, start.length);
      const isMark = start.subarray(0, mark.length).equals(mark);
      if (isMark && mark.length < BYTE_ORDER_MARK.length) return;
      const text = isMark ? start.subarray(mark.length) : start;
      start = null;
      texts.write(text);
    },
    end() {
      if (start !== null) texts.write(start);
      texts.end();
    },
  };
}

/** Finds one quote in each line (NDJSON). Empty lines are skipped, but counted. The last line needs no line feed. */
export function createNdjsonSplitter(reports: QuoteTextReports): QuoteTextSplitter {
  let line = 1;
  let rest = "";
  let isDiscarding = false;
  const finish = (text: string): void => {
    if (isDiscarding || text.length > QUOTE_BYTES_MAX) reports.tooLong(line);
    else if (text.trim() !== "") reports.quote(text, line);
    isDiscarding = false;
    line += 1;
  };
  return {
    write(piece) {
      // Each byte becomes one character. Valid quotes are ASCII, and no other text can become a valid quote this way.
      const text = rest + piece.toString("latin1");
      let from = 0;
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
        finish(text.slice(from, at));
        from = at + 1;
      }
      rest = text.slice(from);
      if (rest.length <= QUOTE_BYTES_MAX) return;
      isDiscarding = true;
      rest = "";
    },
    end() {
      finish(rest);
      rest = "";
    },
  };
}
