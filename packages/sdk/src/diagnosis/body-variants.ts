import { base64Of, hexOf, latin1Of, utf8Of, utf16Of } from "../byte-text.ts";
import type { Digests } from "../digests.ts";
import type { Finding } from "./sent.ts";
import { distinctVariants, type Variant } from "./variant.ts";

const SEND_WHAT_YOU_SIGN =
  "Serialise the body once, sign these bytes and send them; do not pass the object to " +
  "a library that serialises it again.";

/** Values that a client may have signed as the sixth line of the canonical string, instead of the body's hash. */
export async function bodyLineVariants(
  body: Uint8Array,
  digests: Digests,
): Promise<readonly Variant<string>[]> {
  const digest = await digests.sha256(body);
  const right = hexOf(digest);
  const text = new TextDecoder().decode(body);
  const others = otherBodies(text).map(async ({ bytes, problem, fix }) => {
    const given = typeof bytes === "string" ? utf8Of(bytes) : bytes;
    return mistakeVariant(hexOf(await digests.sha256(given)), problem, fix ?? SEND_WHAT_YOU_SIGN);
  });
  return distinctVariants(right, [
    ...(await Promise.all(others)),
    mistakeVariant(
      right.toUpperCase(),
      "its hash was written in upper case",
      "Write it in lower case.",
    ),
    mistakeVariant(
      base64Of(digest),
      "its hash was written in base64",
      "Write the SHA-256 of the body as 64 characters of lower-case hex.",
    ),
    mistakeVariant(
      text,
      "the body itself was signed instead of its SHA-256",
      "Put the lower-case hex SHA-256 of the body in the last line.",
    ),
    mistakeVariant(
      "",
      "the last line was left empty",
      "Without a body, the last line is the SHA-256 of nothing: e3b0c442…b855.",
    ),
  ]);
}

interface OtherBody {
  readonly bytes: string | Uint8Array;
  readonly problem: string;
  readonly fix?: string;
}

function otherBodies(text: string): readonly OtherBody[] {
  return [
    {
      bytes: "",
      problem: "it was signed as if it were empty",
      fix: "Hash the bytes of the body that you send.",
    },
    ...lineEnds(text),
    ...respacedBodies(text),
    ...reserialised(text),
    { bytes: JSON.stringify(text), problem: "it was serialised twice: JSON of the JSON text" },
    { bytes: latin1Of(text), problem: "it was signed in Latin-1", fix: USE_UTF8 },
    { bytes: utf16Of(text), problem: "it was signed in UTF-16", fix: USE_UTF8 },
    { bytes: `\uFEFF${text}`, problem: "it was signed with a byte order mark", fix: USE_UTF8 },
    ...["{}", "null", "undefined", '""'].map((bytes) => ({
      bytes,
      problem: `${bytes} was signed instead of what was sent`,
      fix: "A request without a body is signed with the SHA-256 of nothing.",
    })),
  ];
}

const USE_UTF8 = "Hash the UTF-8 bytes that are sent.";

function lineEnds(text: string): readonly OtherBody[] {
  return [
    {
      bytes: `${text}\n`,
      problem: "it was signed with a newline at its end that was not sent",
      fix: "Hash it with printf %s, not echo; curl -d @file drops newlines, --data-binary keeps them.",
    },
    {
      bytes: text.replace(/\r?\n$/, ""),
      problem: "it was signed without the newline that was sent at its end",
      fix: "Hash the file itself, not a shell variable with its text: $(...) drops the newline.",
    },
    { bytes: text.trim(), problem: "it was signed without the white space around it" },
    { bytes: text.replaceAll("\r\n", "\n"), problem: "it was signed with other line endings (LF)" },
    {
      bytes: text.replace(/\r?\n/g, "\r\n"),
      problem: "it was signed with other line endings (CRLF)",
    },
    { bytes: text.replace(/\r?\n/g, ""), problem: "it was signed without its line breaks" },
  ];
}

/** The JSON text with other white space between its tokens. */
function respacedBodies(text: string): readonly OtherBody[] {
  const style = (name: string): string =>
    `the same JSON was signed with other spacing: it was serialised twice (${name})`;
  return [
    { bytes: respace(text, ":", ","), problem: style("signed compact") },
    { bytes: respace(text, ": ", ", "), problem: style('signed with ", " and ": "') },
    { bytes: respace(text, ": ", ","), problem: style('signed with ": "') },
  ];
}

function reserialised(text: string): readonly OtherBody[] {
  const value = parse(text);
  if (value === undefined) return [];
  const compact = JSON.stringify(value);
  const sorted = JSON.stringify(sortKeys(value));
  const forms: readonly (readonly [string, string])[] = [
    [compact, "compact"],
    [JSON.stringify(value, null, 2), "indented by 2"],
    [JSON.stringify(value, null, 4), "indented by 4"],
    [sorted, "keys sorted"],
    [respace(sorted, ": ", ", "), "keys sorted, spaced"],
  ];
  const problem = (name: string): string =>
    `the same JSON was signed in another form: it was serialised twice (signed ${name})`;
  return forms.flatMap(([bytes, name]) => [
    { bytes, problem: problem(name) },
    { bytes: escapeNonAscii(bytes), problem: problem(`${name}, non-ASCII escaped`) },
    {
      bytes: escapeNonAscii(respace(bytes, ": ", ", ")),
      problem: problem("spaced, non-ASCII escaped"),
    },
  ]);
}

/** The JSON text with other white space outside its strings. */
function respace(text: string, colon: string, comma: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s*([:,])\s*|\s+/g, (_, string, mark) => {
    if (typeof string === "string") return string;
    if (mark === ":") return colon;
    return mark === "," ? comma : "";
  });
}

function escapeNonAscii(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sortKeys(inner)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mistakeVariant(value: string, problem: string, fix: string): Variant<string> {
  const finding: Finding = { part: "body", problem, fix };
  return { value, finding };
}
