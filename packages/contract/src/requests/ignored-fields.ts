const NAMES_SHOWN = 20;
const CHARACTERS_SHOWN = 80;

/**
 * The value of the ignored-fields header. The names come from a client's body, so every character except letters,
 * digits, `_`, `.`, `-` and square brackets becomes `?`: none of them can end or change a header. Long names and long
 * lists are cut.
 */
export function ignoredFieldsHeader(names: readonly string[]): string {
  return names
    .slice(0, NAMES_SHOWN)
    .map((name) => name.slice(0, CHARACTERS_SHOWN).replaceAll(/[^A-Za-z0-9_.[\]-]/g, "?"))
    .join(",");
}
