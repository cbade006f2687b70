/** A field in which two events differ, with both values. A value is `-` when its event does not have the field. */
export interface FieldDifference {
  /** The path of the field, such as `position.quantity`. */
  readonly field: string;
  readonly decided: string;
  readonly written: string;
}

const ABSENT = "-";

/** The fields in which two events differ. Both events are texts of JSON. */
export function differingFields(decided: string, written: string): readonly FieldDifference[] {
  const [one, other] = [leavesOf(decided), leavesOf(written)];
  const fields = new Set([...one.keys(), ...other.keys()]);
  return [...fields]
    .map((field) => ({
      field,
      decided: one.get(field) ?? ABSENT,
      written: other.get(field) ?? ABSENT,
    }))
    .filter((pair) => pair.decided !== pair.written);
}

/**
 * Each number, text, boolean and null of a JSON text by its path. A text that is not valid JSON counts as one value.
 */
function leavesOf(text: string): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) {
      leaves.set(path, typeof value === "string" ? value : JSON.stringify(value));
      return;
    }
    for (const [name, inner] of Object.entries(value)) {
      visit(inner, path === "" ? name : `${path}.${name}`);
    }
  };
  visit(parsed(text), "");
  return leaves;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
