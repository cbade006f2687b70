/** A parsed value of JSON or of a Python literal; every number is finite. */
export type Literal = null | boolean | number | string | readonly Literal[] | LiteralRecord;

/** Without a prototype, so `__proto__` and `constructor` are ordinary keys. */
export interface LiteralRecord {
  readonly [key: string]: Literal;
}
