import {
  QUOTE_BYTES_MAX,
  type QuoteTextReports,
  type QuoteTextSplitter,
} from "./quote-text-splitter.ts";

/** The part of the body, which may be an array, to which the next character belongs. */
type Place = "start" | "element" | "inElement" | "afterElement" | "end";

const isSpace = (char: string): boolean => char <= " ";

/**
 * Finds the texts of the quotes in a body that is one quote or an array of quotes. Each quote is parsed by itself
 * later, so a wrong one does not affect the others. When the body is incomplete or malformed, the quotes before that
 * point count.
 */
export function createJsonSplitter(reports: QuoteTextReports): QuoteTextSplitter {
  let place: Place = "start";
  let isArray = false;
  let line = 0;
  let element = createElement();
  let isTorn = false;

  const tear = (): void => {
    reports.torn(line + 1);
    isTorn = true;
  };
  const finish = (): void => {
    line += 1;
    if (element.isTooLong()) reports.tooLong(line);
    else reports.quote(element.text(), line);
    element = createElement();
    place = isArray ? "afterElement" : "end";
  };
  const read: Readonly<Record<Place, (char: string) => void>> = {
    start(char) {
      if (char === "[") {
        isArray = true;
        place = "element";
      } else read.element(char);
    },
    element(char) {
      if (char === "]" && line === 0) place = "end";
      else if (char === "," || char === "]") tear();
      else {
        place = "inElement";
        read.inElement(char);
      }
    },
    inElement(char) {
      // A number or a word has no closing character. It ends before a space, a comma or a closing bracket.
      if (!element.isBare() || !(isSpace(char) || char === "," || char === "]")) {
        if (element.add(char)) finish();
        return;
      }
      finish();
      if (!isSpace(char)) read[place](char);
    },
    afterElement(char) {
      if (char === ",") place = "element";
      else if (char === "]") place = "end";
      else tear();
    },
    end: tear,
  };
  return {
    write(piece) {
      const text = piece.toString("latin1");
      for (let at = 0; at < text.length && !isTorn; at += 1) {
        const char = text.charAt(at);
        if (place === "inElement" || !isSpace(char)) read[place](char);
      }
    },
    end() {
      if (isTorn) return;
      if (!isArray && place === "inElement" && element.isBare()) finish();
      if (place !== "end" && place !== "start") tear();
    },
  };
}

/** One element of the body while its characters arrive. */
interface Element {
  /** Adds a character. True when it ends the element. */
  add(char: string): boolean;
  /** True for a number or a word, which has no closing character: only the next character shows its end. */
  isBare(): boolean;
  isTooLong(): boolean;
  text(): string;
}

function createElement(): Element {
  let text = "";
  let length = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  const inString = (char: string): void => {
    if (isEscaped) isEscaped = false;
    else if (char === "\\") isEscaped = true;
    else if (char === '"') isInString = false;
  };
  return {
    add(char) {
      length += 1;
      if (length <= QUOTE_BYTES_MAX) text += char;
      if (isInString) inString(char);
      else if (char === '"') isInString = true;
      else if (char === "{" || char === "[") depth += 1;
      else if (char === "}" || char === "]") depth -= 1;
      else return false;
      return depth <= 0 && !isInString;
    },
    isBare: () => length > 0 && depth === 0 && !isInString,
    isTooLong: () => length > QUOTE_BYTES_MAX,
    text: () => text,
  };
}
