/** The first difference of two texts. */
export interface Difference {
  /** The offset in UTF-8 bytes. */
  readonly byte: number;
  /** The offset in UTF-16 units, for slicing the texts. */
  readonly unit: number;
  /** The characters of both texts at the difference; null where a text ends. */
  readonly left: string | null;
  readonly right: string | null;
}

/** The first difference of two texts; null when they are equal. */
export function firstDifference(left: string, right: string): Difference | null {
  if (left === right) return null;
  const lefts = Array.from(left);
  const rights = Array.from(right);
  let at = 0;
  while (at < lefts.length && lefts[at] === rights[at]) at += 1;
  const same = lefts.slice(0, at).join("");
  return {
    byte: new TextEncoder().encode(same).length,
    unit: same.length,
    left: lefts[at] ?? null,
    right: rights[at] ?? null,
  };
}

const NAMES: Readonly<Record<string, string>> = {
  " ": "space",
  "\n": "line feed",
  "\r": "carriage return",
  "\t": "tab",
  "\u00A0": "no-break space",
  "\uFEFF": "byte order mark",
  "\u200B": "zero-width space",
};

/** A character in words: `“?” U+003F`, `line feed U+000A`, or a note that the text ends. */
export function characterText(character: string | null): string {
  if (character === null) return "nothing: the text ends";
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${NAMES[character] ?? `“${character}”`} U+${code}`;
}

const MARKS: Readonly<Record<string, string>> = {
  " ": "\u2423",
  "\n": "\u21B5",
  "\r": "\u240D",
  "\t": "\u21E5",
  "\u00A0": "\u237D",
};

/** The text with a visible sign in place of each invisible character. */
export function visibleText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zs}]/gu, (one) => MARKS[one] ?? "\u25AF");
}
