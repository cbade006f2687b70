import { COMMON_WORDS } from "./common-words.ts";

/** Minimum number of characters outside common words, the person's own words, years and sequences. */
const OTHER_CHARACTERS_MIN = 6;
const DIFFERENT_CHARACTERS_MIN = 5;
const OWN_WORD_MIN = 3;
/** Minimum length of a sequence that begins with a letter, and of any other one. */
const LETTER_SEQUENCE_MIN = 4;
const OTHER_SEQUENCE_MIN = 3;

const PROBLEM =
  "is easy to guess: it has little besides common words, your name, the service's name, years or sequences; use several unrelated words";

/**
 * The problem with a new password, as a text for its field; null when there is none. `words` are words that an attacker
 * would try first, such as the person's name. The length is checked elsewhere.
 */
export function passwordProblem(password: string, words: readonly string[]): string | null {
  const text = repeatedUnitOf(normalizeText(password));
  const characters = Array.from(text);
  const left = countOtherCharacters(characters, [...words.flatMap(ownWords), ...COMMON_WORDS]);
  return left < OTHER_CHARACTERS_MIN || new Set(characters).size < DIFFERENT_CHARACTERS_MIN
    ? PROBLEM
    : null;
}

function normalizeText(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s/gu, "");
}

/** The words that may not be the main content of the password of a person with this name: the name and its parts. */
function ownWords(name: string): readonly string[] {
  const parts = name.split(/[\s._@-]+/).map(normalizeText);
  return [normalizeText(name), ...parts].filter((word) => word.length >= OWN_WORD_MIN);
}

/** The repeated part of a text that only repeats it; for any other text the text itself. */
function repeatedUnitOf(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, period);
}

/** The number of characters that are in no word, year or sequence. */
function countOtherCharacters(characters: readonly string[], words: readonly string[]): number {
  const plain = characters.join("");
  // Each character is replaced by one character, so that the positions in both texts match.
  const spelt = characters.map((one) => LETTER_OF_CHARACTER.get(one) ?? one).join("");
  const covered = new Set<number>();
  const cover = (from: number, length: number): void => {
    for (let at = from; at < from + length; at += 1) covered.add(at);
  };
  for (const word of new Set(words)) {
    for (const text of [plain, spelt]) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        cover(at, word.length);
      }
    }
  }
  for (const { index, 0: year } of plain.matchAll(/(?:19|20)\d\d/g)) cover(index, year.length);
  for (const [from, length] of findSequences(plain)) cover(from, length);
  return plain.length - covered.size;
}

/** For each digit or sign that people type instead of a letter, that letter. */
const LETTER_OF_CHARACTER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "0": "o",
    "1": "i",
    "3": "e",
    "4": "a",
    "5": "s",
    "7": "t",
    "@": "a",
    $: "s",
    "!": "i",
  }),
);

/** Rows of keyboards, the alphabet and the digits; each also counts backwards. */
const KEYBOARD_ROWS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik",
  "!@#$%^&*()",
];
const SEQUENCES = [
  ...KEYBOARD_ROWS,
  ...KEYBOARD_ROWS.map((row) => Array.from(row).toReversed().join("")),
];

/** The positions and lengths of sequences and of repeated characters. */
function findSequences(text: string): readonly (readonly [from: number, length: number])[] {
  const found: (readonly [number, number])[] = [];
  for (let from = 0; from < text.length; from += 1) {
    // Letters need a longer run, because many words contain three adjacent letters of a keyboard's row.
    const length = /^\p{L}/u.test(text.slice(from)) ? LETTER_SEQUENCE_MIN : OTHER_SEQUENCE_MIN;
    const piece = text.slice(from, from + length);
    if (piece.length < length) continue;
    const isRepeated = new Set(piece).size === 1;
    if (isRepeated || SEQUENCES.some((row) => row.includes(piece))) found.push([from, length]);
  }
  return found;
}
