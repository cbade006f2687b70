import type { BareTerminal, Terminal } from "./terminal.ts";

/** Control characters, marks of direction and other invisible ones, tags, and separators of Unicode. */
const HIDDEN = /(?!\r\n|[\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The colours of `paintFor`, and what a terminal does with nothing else. */
const COLOUR = /(\p{Cc}\[(?:1|2|22|31|32|33|39)m)/u;

const ESCAPE = "\u001b";

/** Replaces what could control the terminal or hide text, because texts may come from others. */
export function printable(text: string): string {
  return text.replace(HIDDEN, "?");
}

/** The same, with the colours of this program. */
function printableColoured(text: string): string {
  const parts = text.split(COLOUR);
  return parts
    .map((part, index) => (index % 2 === 1 && part.startsWith(ESCAPE) ? part : printable(part)))
    .join("");
}

/** One line of JSON, which has the same value with hidden characters escaped. */
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

/** The terminal whose streams print no text that could control it. Every command writes to such a one. */
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
