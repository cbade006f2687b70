/** A pasted document: its value, or what is wrong with the text; neither while there is no text. */
export interface PastedDocument {
  readonly value: object | null;
  readonly problem: string | null;
}

export function readDocument(text: string): PastedDocument {
  if (text.trim() === "") return { value: null, problem: null };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? { value, problem: null }
      : { value: null, problem: "This is JSON, but no document: it must begin with {." };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "it cannot be read";
    return { value: null, problem: `This is no JSON: ${why}` };
  }
}
