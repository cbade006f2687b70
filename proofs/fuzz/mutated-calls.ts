import fc from "fast-check";
import { anyJsonValue, editedJsonText, jsonPathsOf, withValueAt } from "./mutated-json.ts";

/** Escaped ids for a path: known ids, unknown ids, and strings that are not ids. */
export function hostileIds(known: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...known),
    fc.uuid(),
    fc.constantFrom("%00", "a%00b", "%20", "..", "%2e%2e", "%2f", "%ff", "null", "x".repeat(100)),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map(encodeURIComponent),
  );
}

/**
 * JSON texts: the document with changed values, with changed values and added fields, any other JSON value, and the
 * document's text with an edit.
 */
export function documentVariants(body: unknown): fc.Arbitrary<string> {
  const paths = jsonPathsOf(body);
  const changed =
    paths.length === 0
      ? fc.constant(body)
      : fc
          .array(fc.tuple(fc.constantFrom(...paths), anyJsonValue), { maxLength: 2 })
          .map((changes) =>
            changes.reduce((document, [path, value]) => withValueAt(document, path, value), body),
          );
  const added = fc.dictionary(fc.string({ maxLength: 10 }), anyJsonValue, { maxKeys: 1 });
  return fc.oneof(
    changed.map((one) => JSON.stringify(one)),
    fc.tuple(changed, added).map(([one, more]) => JSON.stringify({ ...Object(one), ...more })),
    anyJsonValue.map((one) => JSON.stringify(one)),
    editedJsonText(JSON.stringify(body)),
  );
}
