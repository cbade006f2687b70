/** A pasted document: its value, or the problem of its text. Both are null while the field is empty. */
export interface PastedDocument {
  readonly value: object | null;
  readonly problem: string | null;
}

/** Parses a pasted text, which must be a JSON object. */
export function readDocument(text: string): PastedDocument {
  if (text.trim() === "") return { value: null, problem: null };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? { value, problem: null }
      : { value: null, problem: "This JSON is not an object: it must begin with {." };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "it cannot be read";
    return { value: null, problem: `Invalid JSON: ${why}` };
  }
}
