import type { BareTerminal, Terminal } from "./terminal.ts";

/**
 * Characters that could control the terminal or hide text: control characters, invisible formatting characters, lone
 * surrogates, and line and paragraph separators. Tabs and line feeds are allowed, and a carriage return before a line
 * feed.
 */
const HIDDEN = /(?!\r\n|[\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The escape sequences that `paintFor` writes. They only change the colour and the weight of text. */
const COLOUR = /(\p{Cc}\[(?:1|2|22|31|32|33|39)m)/u;

const ESCAPE = "\u001b";

/** Replaces characters that could control the terminal or hide text, because texts may come from other people. */
export function printable(text: string): string {
  return text.replace(HIDDEN, "?");
}

/** Replaces the characters that `printable` replaces, but keeps the escape sequences of `paintFor`. */
function printableColoured(text: string): string {
  const parts = text.split(COLOUR);
  return parts
    .map((part, index) => (index % 2 === 1 && part.startsWith(ESCAPE) ? part : printable(part)))
    .join("");
}

/** The value as one line of JSON, with hidden characters escaped. */
export function printableJson(value: unknown): string {
  return escapedJson(JSON.stringify(value));
}

/** The JSON text with hidden characters escaped. */
export function escapedJson(json: string): string {
  return json.replace(HIDDEN, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/**
 * A terminal whose `out` and `error` replace characters that could control it. Every command writes to such a terminal.
 */
export function cleanTerminal(bare: BareTerminal): Terminal {
  const clean = bare.hasColours ? printableColoured : printable;
  return {
    ...bare,
    out: (text) => bare.out(clean(text)),
    error: (text) => bare.error(clean(text)),
    draw: { out: (text) => bare.out(text), error: (text) => bare.error(text) },
    clean,
  };
}
