/** A value that Python can print: a `number` is a Python float, a `bigint` a Python int, and an object a dict. */
export type PythonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly PythonValue[]
  | { readonly [key: string]: PythonValue };

/** The text that Python's `repr` gives for the value, such as `{'a': 1.0, 'b': None}`. */
export function pythonRepr(value: PythonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return pythonFloat(value);
  if (typeof value === "string") return pythonString(value);
  if (isList(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  const items = Object.entries(value).map(
    ([key, item]) => `${pythonString(key)}: ${pythonRepr(item)}`,
  );
  return `{${items.join(", ")}}`;
}

function isList(value: object): value is readonly PythonValue[] {
  return Array.isArray(value);
}

/** A float as Python prints it: `5.0`, `1e-05`, `1e+16`, `nan`, `-inf`. */
function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  if (value === 0) return "0.0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e16) return withExponent(value);
  const text = value.toString();
  return text.includes(".") ? text : `${text}.0`;
}

/** A float with an exponent. Python writes at least two digits of the exponent, and always its sign. */
function withExponent(value: number): string {
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const sign = exponent.startsWith("-") ? "-" : "+";
  return `${digits}e${sign}${exponent.replace(/^[+-]/, "").padStart(2, "0")}`;
}

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = Array.from(text, (sign) => {
    if (sign === "\\" || sign === quote) return `\\${sign}`;
    return NAMED[sign] ?? (isPrintable(sign) ? sign : escapedCharacter(sign));
  });
  return `${quote}${inner.join("")}${quote}`;
}

function isPrintable(sign: string): boolean {
  return sign === " " || !/[\p{C}\p{Z}]/u.test(sign);
}

function escapedCharacter(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
