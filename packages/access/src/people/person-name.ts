/**
 * Matches control characters, invisible characters (zero-width letters, fillers, direction marks), spaces other than
 * the ordinary one, and code points that are not characters.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

/** Whether every character of a name is visible, and every space is the ordinary one. */
export function hasOnlyVisibleCharacters(name: string): boolean {
  return !INVISIBLE.test(name);
}

/**
 * The scripts that a name may combine: each script in modern use alone (Unicode Standard Annex 31, table 5), and the
 * combinations of Japanese, Korean and Chinese (Unicode Technical Standard 39, single script).
 */
const SCRIPT_COMBINATIONS: readonly (readonly string[])[] = [
  ["Latin"],
  ["Cyrillic"],
  ["Greek"],
  ["Han", "Hiragana", "Katakana"],
  ["Han", "Hangul"],
  ["Han", "Bopomofo"],
  ...["Arabic", "Armenian", "Bengali", "Devanagari", "Ethiopic", "Georgian", "Gujarati"].map(
    singleScript,
  ),
  ...["Gurmukhi", "Hebrew", "Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya"].map(
    singleScript,
  ),
  ...["Sinhala", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan"].map(singleScript),
];

/**
 * For each of these combinations, a pattern of the names whose letters belong to its scripts. Digits, `._-@` and the
 * like belong to no script and are allowed with each.
 */
const SINGLE_SCRIPT_PATTERNS: readonly RegExp[] = SCRIPT_COMBINATIONS.map((scripts) => {
  const letters = scripts.map((script) => `\\p{Script_Extensions=${script}}`).join("");
  return new RegExp(`^[${letters}\\p{Script=Common}\\p{Script=Inherited}]*$`, "u");
});

/**
 * Whether all letters of a name are of one script, or of one combination of scripts above. `owner` with a Cyrillic o
 * would look the same as `owner`. Compatibility forms, such as wide letters, count as the letters that they represent.
 */
export function hasOneScript(name: string): boolean {
  const plain = name.normalize("NFKC");
  return SINGLE_SCRIPT_PATTERNS.some((script) => script.test(plain));
}

/** The beginning of a token's name in the audit. The name of the token follows. */
export const TOKEN_IN_AUDIT = "operator token";

/** Names that records use for authors who are not people: tokens, the service, and its checks of prices. */
const RESERVED = [new RegExp(`^${TOKEN_IN_AUDIT}\\b`), /^(gap|split) check$/, /^service$/];

/**
 * Whether a name is free for a person. The audit, the alerts and the choices of prices name their author by a text, so
 * a person with the name of a token, of a check or of the service would be mistaken for it.
 */
export function isFreeForPeople(name: string): boolean {
  const plain = name.normalize("NFKC").toLowerCase().replaceAll(/ +/g, " ");
  return !RESERVED.some((reserved) => reserved.test(plain));
}

function singleScript(script: string): readonly string[] {
  return [script];
}
