const CHARACTERS_MAX = 300;
/**
 * The number of characters that are searched. It bounds the work of the patterns, and leaves enough for a text of
 * `CHARACTERS_MAX` characters.
 */
const SEARCHED_CHARACTERS_MAX = 4096;

/** The parts of the configuration that no text may show. */
export interface TextSecrets {
  readonly key: string;
  /** Host names and addresses, with and without their ports. */
  readonly hosts: readonly string[];
}

/** Makes texts fit for answers and logs: at most 300 characters on one line, without control characters. */
export interface TextCleaner {
  /** Replaces keys, hosts, URLs and paths in an upstream's text by their kinds in square brackets, such as `[host]`. */
  cleanUpstreamText(text: string): string;
  /**
   * Replaces the key and the hosts of `TextSecrets` in a text of this service, which may quote a few words of an
   * answer.
   */
  cleanOwnText(text: string): string;
}

export function createTextCleaner({ key, hosts }: TextSecrets): TextCleaner {
  const own = [
    ...[key, encodeURIComponent(key), base64(key)].map((text) => ({ text, instead: "[key]" })),
    ...[...hosts].sort(longestFirst).map((text) => ({ text, instead: "[host]" })),
  ].filter(({ text }) => text !== "");
  // The key and the hosts of `TextSecrets` are replaced before the text is cut, so that no cut leaves a part of one.
  const withoutOwn = (text: string): string =>
    own.reduce((left, one) => withoutWord(left, one.text, one.instead), onOneLine(text));
  return {
    cleanUpstreamText(text) {
      const searched = withoutOwn(text).slice(0, SEARCHED_CHARACTERS_MAX);
      const cleaned = FOREIGN_PATTERNS.reduce(
        (left, { pattern, instead }) => left.replace(pattern, instead),
        searched,
      );
      return boundedText(cleaned.trim());
    },
    cleanOwnText: (text) => boundedText(withoutOwn(text).trim()),
  };
}

const longestFirst = (one: string, other: string): number => other.length - one.length;

const base64 = (text: string): string => Buffer.from(text).toString("base64").replace(/=+$/, "");

/**
 * The text on one line. Invisible characters are removed, so that none of them can divide a word that is searched for.
 */
function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, "");
}

function withoutWord(text: string, word: string, instead: string): string {
  const searched = word.toLowerCase();
  const lower = text.toLowerCase();
  // A lower-case form of another length shifts the positions, so positions in `lower` would not fit `text`.
  if (lower.length !== text.length) return text.replaceAll(word, instead);
  const parts: string[] = [];
  let from = 0;
  for (let at = lower.indexOf(searched); at !== -1; at = lower.indexOf(searched, from)) {
    parts.push(text.slice(from, at), instead);
    from = at + word.length;
  }
  return parts.join("") + text.slice(from);
}

/** Patterns of keys, URLs, addresses, host names and paths that are not this service's own. */
const FOREIGN_PATTERNS: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\bbearer +[^\s'"]+/gi, instead: "[key]" },
  { pattern: /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s'"<>]+/gi, instead: "[url]" },
  { pattern: /\[[0-9a-f]*:[0-9a-f:.]*\](?::\d{1,5})?/gi, instead: "[host]" },
  { pattern: /\[?(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}\]?(?::\d{1,5})?/gi, instead: "[host]" },
  { pattern: /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, instead: "[host]" },
  // A host name with three labels, or with two and a port or a well-known ending.
  { pattern: /\b(?:[a-z0-9-]{1,63}\.){2,8}[a-z]{2,24}(?::\d{1,5})?\b/gi, instead: "[host]" },
  { pattern: /\b[a-z0-9-]{1,63}\.[a-z]{2,24}:\d{2,5}\b/gi, instead: "[host]" },
  {
    pattern: /\b[a-z0-9-]{1,63}\.(?:com|net|org|io|ai|dev|app|local|internal)\b/gi,
    instead: "[host]",
  },
  { pattern: /\blocalhost(?::\d{1,5})?\b/gi, instead: "[host]" },
  { pattern: /(?<![\w.~/])[.~]{0,2}(?:\/[\w.@%~+-]+)+\/?/g, instead: "[path]" },
  { pattern: /\b[a-z]:\\[^\s'"]*/gi, instead: "[path]" },
];

function boundedText(text: string): string {
  if (text.length <= CHARACTERS_MAX) return text;
  return `${text
    .slice(0, CHARACTERS_MAX - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, "")}…`;
}
