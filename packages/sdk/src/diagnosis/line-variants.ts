import type { Part, Sent } from "./sent.ts";
import { distinctVariants, type Variant } from "./variant.ts";

/** Values that a client may have signed as the second line instead of the method that it sent. */
export function methodVariants(sent: Sent): readonly Variant<string>[] {
  const fix = "Sign the method that is sent, in upper case.";
  const lower = `it was signed in lower case (${sent.method.toLowerCase()})`;
  return distinctVariants(sent.method.toUpperCase(), [
    mistakeVariant("method", { value: sent.method.toLowerCase(), problem: lower, fix }),
    ...["GET", "POST", "PUT", "DELETE", "PATCH"].map((value) =>
      mistakeVariant("method", {
        value,
        problem: `${value} was signed, ${sent.method} was sent`,
        fix,
      }),
    ),
    mistakeVariant("method", { value: "", problem: "its line was left empty", fix }),
  ]);
}

const SIGN_THE_TARGET =
  "Sign the path and the query exactly as in the request line, and nothing else.";

/** Values that a client may have signed as the third line instead of the target that it sent. */
export function targetVariants(sent: Sent): readonly Variant<string>[] {
  const { target } = sent;
  const [path, query] = splitOnce(target, "?");
  const guesses: (readonly [string, string])[] = [
    [path, "the query string was not signed"],
    ...withoutOneParameter(path, query),
    ...reorderedQueries(path, query),
    [decode(target), "it was signed decoded, without its percent escapes"],
    [encodeURI(decode(target)), "it was signed with other percent escapes"],
    [`${path}?${encodeURIComponent(query ?? "")}`, "its query was signed escaped as a whole"],
    [target.replaceAll("+", "%20"), "+ was signed as %20"],
    [target.replaceAll("%20", "+"), "%20 was signed as +"],
    [target.replace(/%[0-9a-f]{2}/gi, (hex) => hex.toLowerCase()), "escapes in lower case"],
    [target.replace(/%[0-9a-f]{2}/gi, (hex) => hex.toUpperCase()), "escapes in upper case"],
    [`${path}/${query === undefined ? "" : `?${query}`}`, "a / was signed at the end of the path"],
    [path.replace(/\/$/, ""), "the / at the end of the path was not signed"],
    [`${target}?`, "an empty query was signed"],
    [target.replace(/^\/api\/v1/, ""), "the prefix /api/v1 was not signed"],
    [target.replace(/^\/api\/v1\/trading/, ""), "the prefix /api/v1/trading was not signed"],
    [`/api/v1${target}`, "the prefix /api/v1 was signed and not sent: a proxy may remove it"],
    [target.replace(/^\//, ""), "the / at its start was not signed"],
    [target.toLowerCase(), "it was signed in lower case"],
    [query ?? "", "only the query was signed"],
    ...urls(sent),
  ];
  return distinctVariants(
    target,
    guesses.map(([value, problem]) =>
      mistakeVariant("target", { value, problem, fix: SIGN_THE_TARGET }),
    ),
  );
}

function urls(sent: Sent): readonly (readonly [string, string])[] {
  if (sent.host === null) return [];
  return [
    [`http://${sent.host}${sent.target}`, "the whole URL was signed"],
    [`https://${sent.host}${sent.target}`, "the whole URL was signed"],
    [`${sent.host}${sent.target}`, "the host was signed before the path"],
  ];
}

function withoutOneParameter(
  path: string,
  query: string | undefined,
): readonly (readonly [string, string])[] {
  const parameters = query?.split("&") ?? [];
  if (parameters.length < 2) return [];
  return parameters.map((left, index) => {
    const rest = parameters.filter((_, other) => other !== index).join("&");
    return [`${path}?${rest}`, `the query parameter ${left} was not signed`];
  });
}

function reorderedQueries(
  path: string,
  query: string | undefined,
): readonly (readonly [string, string])[] {
  const parameters = query?.split("&") ?? [];
  return [
    [`${path}?${parameters.toSorted().join("&")}`, "its query parameters were signed sorted"],
    [`${path}?${parameters.toReversed().join("&")}`, "its query parameters were signed reversed"],
  ];
}

const SIGN_THE_TIMESTAMP =
  "Read the clock once, as whole milliseconds in decimal digits; sign and send the same text.";

/** Values that a client may have signed as the fourth line instead of the timestamp that it sent. */
export function timestampVariants(sent: Sent): readonly Variant<string>[] {
  const { timestamp } = sent;
  const value = Number(timestamp);
  const guesses: (readonly [string, string])[] = [];
  if (/^\d+$/.test(timestamp) && value < 8.64e15) {
    const seconds = String(Math.floor(value / 1000));
    guesses.push(
      [seconds, `seconds were signed (${seconds}) and milliseconds sent`],
      [`${timestamp}000`, "milliseconds were signed and seconds sent"],
      [new Date(value).toISOString(), "an ISO date was signed and milliseconds sent"],
      [`${timestamp}.0`, "a float was signed"],
      [(value / 1000).toFixed(3), "seconds with a fraction were signed and milliseconds sent"],
    );
    // A client that reads its clock twice, to sign and to send, is some milliseconds off.
    for (let offset = 1; offset <= 50; offset += 1) {
      const problem = `another time was signed, ${offset} ms off: the clock was read twice`;
      guesses.push([String(value - offset), problem], [String(value + offset), problem]);
    }
  }
  guesses.push(["", "its line was left empty"]);
  return distinctVariants(
    timestamp,
    guesses.map(([guess, problem]) =>
      mistakeVariant("timestamp", { value: guess, problem, fix: SIGN_THE_TIMESTAMP }),
    ),
  );
}

/** Values that a client may have signed as the fifth line instead of the nonce that it sent. */
export function nonceVariants(sent: Sent): readonly Variant<string>[] {
  const { nonce } = sent;
  const fix = "Create the nonce once; sign and send the same text.";
  const guesses: readonly (readonly [string, string])[] = [
    [nonce.toLowerCase(), "it was signed in lower case"],
    [nonce.toUpperCase(), "it was signed in upper case"],
    [nonce.replaceAll("-", ""), "it was signed without its dashes"],
    [decode(nonce), "it was signed without its percent escapes"],
    [`${nonce}\n`, "it was signed with a newline at its end"],
    ["", "its line was left empty"],
  ];
  return distinctVariants(
    nonce,
    guesses.map(([value, problem]) => mistakeVariant("nonce", { value, problem, fix })),
  );
}

function mistakeVariant(
  part: Part,
  guess: { readonly value: string; readonly problem: string; readonly fix: string },
): Variant<string> {
  return { value: guess.value, finding: { part, problem: guess.problem, fix: guess.fix } };
}

function splitOnce(text: string, mark: string): readonly [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
