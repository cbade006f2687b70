const REDACTED = "[redacted]";

/** Patterns of secrets, each with the text that replaces it. The text shows which kind of secret was removed. */
const SECRET_PATTERNS: readonly (readonly [form: RegExp, kept: string])[] = [
  // A key's secret or an operator's token, even when it is truncated or has characters appended.
  [/propgate_(?:sk|op)_[A-Za-z0-9_-]{16,}/gi, REDACTED],
  // The secret of a webhook.
  [/whsec_[A-Za-z0-9+/]{16,}=*/g, REDACTED],
  // A signature, with its tag.
  [/\bv1=[A-Za-z0-9+/]{43}=/g, `v1=${REDACTED}`],
  // An Authorization header.
  [/\b(bearer|basic) +[^\s"',;]+/gi, `$1 ${REDACTED}`],
  // User and password of a URL; the password may hold an @ that should have been escaped.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/"'<>]*@/gi, `$1${REDACTED}@`],
];

/** Known secrets shorter than this are not removed, because they would remove ordinary words from the text. */
const KNOWN_LENGTH_MIN = 4;

/**
 * A function that removes secrets from a text before it is written to a log or a file. It removes `known` secrets in
 * each spelling that JSON or a URL may give them, and any string that has the form of a secret. @rule D8.sealed
 */
export function createRedactor(known: readonly string[]): (text: string) => string {
  const spellings = new Set(
    known
      .filter((secret) => secret.length >= KNOWN_LENGTH_MIN)
      .flatMap((secret) => [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret),
      ]),
  );
  // The longest spelling is replaced first, because one secret may begin with another.
  const ordered = [...spellings].toSorted((one, other) => other.length - one.length);
  return (text) => {
    const without = ordered.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);
    return SECRET_PATTERNS.reduce((left, [form, kept]) => left.replace(form, kept), without);
  };
}

/** The password of a URL, as the URL spells it and decoded. Empty when the URL has no password. */
export function passwordsOf(url: string): readonly string[] {
  const spelt = /^[a-z][a-z0-9+.-]*:\/\/[^:@/]*:(.+)@/i.exec(url)?.[1] ?? "";
  if (spelt === "") return [];
  try {
    return [spelt, decodeURIComponent(spelt)];
  } catch {
    return [spelt];
  }
}
