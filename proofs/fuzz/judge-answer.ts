import assert from "node:assert/strict";
import { SIGNED_ENDPOINTS, type SignedEndpointName } from "@propgate/contract";

export interface Answered {
  readonly status: number;
  readonly body: string;
}

/** What only the inside knows: statements, places in the source, the database's own words. */
const INSIDE = [
  /\bselect\b.{1,200}\bfrom\b/i,
  /\binsert into\b/i,
  /\n {4}at /,
  /\.ts:\d+/,
  /relation "/,
  /node:internal/,
  /invalid (?:byte sequence|input syntax)/,
];
const SHOWN = 500;

/** Everything that comes back is held against this. */
export interface Judge {
  /** An answer of the public API to a request of this endpoint. */
  endpoint(name: SignedEndpointName, answer: Answered): void;
  /** An answer with one of these statuses. */
  status(statuses: readonly number[], answer: Answered): void;
  /** Any text that left the service. */
  clean(text: string): void;
}

/** `secrets`: what no output may hold. */
export function judgeWith(secrets: readonly string[]): Judge {
  const clean: Judge["clean"] = (text) => {
    for (const secret of secrets) assert.ok(!text.includes(secret), `a secret in ${shown(text)}`);
    for (const inside of INSIDE) assert.doesNotMatch(text, inside);
  };
  const status: Judge["status"] = (statuses, answer) => {
    const said = `${answer.status} ${shown(answer.body)}`;
    assert.ok(statuses.includes(answer.status), `${said}, not one of ${statuses.join(", ")}`);
    if (answer.status !== 200) expectEnvelope(answer);
    clean(answer.body);
  };
  return {
    clean,
    status,
    endpoint(name, answer) {
      // The contract lists 500 and its like for what fails; nothing fails here.
      const statuses: readonly number[] = SIGNED_ENDPOINTS[name].errorStatuses;
      const listed = statuses.filter((one) => one < 500);
      status([200, ...listed], answer);
    },
  };
}

/** Exactly `{"error": string}`, and beside it `required_scope` where the scope lacks. */
function expectEnvelope({ status, body }: Answered): void {
  const read: unknown = JSON.parse(body);
  const entries = Object.entries(typeof read === "object" && read !== null ? read : {});
  const [error, ...more] = entries;
  assert.equal(error?.[0], "error", `no error in ${shown(body)}`);
  assert.ok(typeof error?.[1] === "string" && error[1] !== "", `no text in ${shown(body)}`);
  const allowed = status === 403 && error[1] === "insufficient_scope" ? ["required_scope"] : [];
  assert.deepEqual(
    more.map(([name]) => name),
    allowed,
  );
}

/** The text of a refusal. */
export function errorOf({ body }: Answered): string {
  const read: unknown = JSON.parse(body);
  const has = typeof read === "object" && read !== null && "error" in read;
  return has && typeof read.error === "string" ? read.error : "";
}

function shown(text: string): string {
  return text.slice(0, SHOWN);
}
