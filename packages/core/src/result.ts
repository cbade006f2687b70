/** The result of an operation that may be refused: a value or a refusal. A fault is thrown instead. */
export type Result<Value, Refused> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refused };

/** The result with this value. */
export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** The result of a refused operation. */
export function refuse<Refused>(refusal: Refused): {
  readonly ok: false;
  readonly refusal: Refused;
} {
  return { ok: false, refusal };
}
