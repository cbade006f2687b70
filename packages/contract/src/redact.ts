const CUT = "[redacted]";

/** What is a secret by its form, wherever it stands; what stays tells what was cut out. */
const FORMS: readonly (readonly [form: RegExp, kept: string])[] = [
  // A key's secret.
  [/\bsk_[A-Za-z0-9_-]{43}/g, CUT],
  // A signature, with its tag.
  [/\bv1=[A-Za-z0-9+/]{43}=/g, `v1=${CUT}`],
  // An Authorization header.
  [/\b(bearer|basic) +[^\s"',;]+/gi, `$1 ${CUT}`],
  // User and password of a URL; the password may hold an @ that should have been escaped.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/"'<>]*@/gi, `$1${CUT}@`],
];

/** A shorter one would cut words out that are nobody's secret. */
const KNOWN_LENGTH_MIN = 4;

/**
 * Cuts secrets out of text that is written down: those that are `known`, in each spelling that JSON
 * or a URL may give them, and whatever has the form of one. @rule D8.sealed
 */
export function redactor(known: readonly string[]): (text: string) => string {
  const spellings = new Set(
    known
      .filter((secret) => secret.length >= KNOWN_LENGTH_MIN)
      .flatMap((secret) => [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret),
      ]),
  );
  // The longest first: one secret may begin with another.
  const ordered = [...spellings].toSorted((one, other) => other.length - one.length);
  return (text) => {
    const without = ordered.reduce((left, secret) => left.replaceAll(secret, CUT), text);
    return FORMS.reduce((left, [form, kept]) => left.replace(form, kept), without);
  };
}

/** The password of a URL as it is and as the URL spells it; none when there is none. */
export function passwordsOf(url: string): readonly string[] {
  const spelt = /^[a-z][a-z0-9+.-]*:\/\/[^:@/]*:(.+)@/i.exec(url)?.[1] ?? "";
  if (spelt === "") return [];
  try {
    return [spelt, decodeURIComponent(spelt)];
  } catch {
    return [spelt];
  }
}
