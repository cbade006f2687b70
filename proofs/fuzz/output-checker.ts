import assert from "node:assert/strict";
import { OPERATOR_ERRORS, SIGNED_ENDPOINTS, type SignedEndpointName } from "@propgate/contract";

/** An answer of the service, as the checker reads it. */
export interface CheckedAnswer {
  readonly status: number;
  readonly body: string;
}

/** Patterns of internal details: SQL statements, locations in the source code, error messages of the database. */
const INTERNALS = [
  /\bselect\b.{1,200}\bfrom\b/i,
  /\binsert into\b/i,
  /\n {4}at /,
  /\.ts:\d+/,
  /relation "/,
  /node:internal/,
  /invalid (?:byte sequence|input syntax)/,
];
const EXCERPT_MAX = 500;

/** Checks every output of the service. Each method throws when the output is not allowed. */
export interface OutputChecker {
  /** Checks an answer of the public API to a request to this endpoint. */
  endpoint(name: SignedEndpointName, answer: CheckedAnswer): void;
  /** Checks that an answer has one of these statuses. */
  status(statuses: readonly number[], answer: CheckedAnswer): void;
  /** Checks that an output contains no secret and no internal detail. */
  clean(text: string): void;
}

/** A checker for a service with these secrets. Secrets that are added to a set later count too. */
export function createOutputChecker(secrets: Iterable<string>): OutputChecker {
  const clean: OutputChecker["clean"] = (text) => {
    for (const secret of secrets)
      assert.ok(!text.includes(secret), `a secret in ${excerptOf(text)}`);
    for (const internal of INTERNALS) assert.doesNotMatch(text, internal);
  };
  const status: OutputChecker["status"] = (statuses, answer) => {
    const excerpt = `${answer.status} ${excerptOf(answer.body)}`;
    assert.ok(statuses.includes(answer.status), `${excerpt}, not one of ${statuses.join(", ")}`);
    if (answer.status !== 200) expectEnvelope(answer);
    clean(answer.body);
  };
  return {
    clean,
    status,
    endpoint(name, answer) {
      // The contract also lists 5xx for failures, which do not happen in these runs.
      const statuses: readonly number[] = SIGNED_ENDPOINTS[name].errorStatuses;
      const listed = statuses.filter((one) => one < 500);
      status([200, ...listed], answer);
    },
  };
}

/**
 * Expects exactly `{"error": string}`, plus `required_scope` when the scope is missing. Answers of the operator's
 * interface and of the pages also have a `code` of the contract's list, and may have `field` and `details`.
 */
function expectEnvelope({ status, body }: CheckedAnswer): void {
  const read: unknown = JSON.parse(body);
  const entries = Object.entries(typeof read === "object" && read !== null ? read : {});
  const [error, ...more] = entries;
  assert.equal(error?.[0], "error", `no error in ${excerptOf(body)}`);
  assert.ok(typeof error?.[1] === "string" && error[1] !== "", `no text in ${excerptOf(body)}`);
  const allowed = status === 403 && error[1] === "insufficient_scope" ? ["required_scope"] : [];
  const names = more.map(([name]) => name);
  if (names[0] === "code") {
    expectCoded(names, more[0]?.[1], body);
    return;
  }
  assert.deepEqual(names, allowed);
}

function expectCoded(names: readonly string[], code: unknown, body: string): void {
  assert.ok(
    typeof code === "string" && code in OPERATOR_ERRORS,
    `no such code in ${excerptOf(body)}`,
  );
  assert.ok(
    names.every((name) => CODED.has(name)),
    `unknown fields in ${excerptOf(body)}`,
  );
}

const CODED: ReadonlySet<string> = new Set(["code", "field", "details"]);

/** The error text of an answer; empty when it has none. */
export function errorTextOf({ body }: CheckedAnswer): string {
  const read: unknown = JSON.parse(body);
  const has = typeof read === "object" && read !== null && "error" in read;
  return has && typeof read.error === "string" ? read.error : "";
}

function excerptOf(text: string): string {
  return text.slice(0, EXCERPT_MAX);
}
