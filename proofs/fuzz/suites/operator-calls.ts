import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { OPERATOR_ROUTES } from "../../../packages/server/src/calls/operator/operator-calls.ts";
import { OPERATOR_TOKEN } from "../../../packages/server/src/testing/harness.ts";
import { sendRequest } from "../../../packages/server/src/testing/signed-request.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import type { FuzzedService } from "../fuzzed-service.ts";
import { documentVariants, hostileIds } from "../mutated-calls.ts";
import { isScalarAt, jsonPathsOf, withValueAt } from "../mutated-json.ts";
import { type CheckedAnswer, errorTextOf } from "../output-checker.ts";

type OperatorRoute = (typeof OPERATOR_ROUTES)[number];

/** The possible statuses of the calls. */
const STATUSES = [200, 400, 404, 409, 413];
const DATA = new URL("../../../packages/market/data/", import.meta.url);

/** Valid bodies of the calls, by the name of the call; other calls have an empty body. */
async function bodiesFor(accountId: string): Promise<ReadonlyMap<string, unknown>> {
  const programs: unknown = JSON.parse(await readFile(new URL("programs.json", DATA), "utf8"));
  const catalogue: unknown = JSON.parse(await readFile(new URL("catalogue.json", DATA), "utf8"));
  const account = {
    size: 100_000,
    ownerId: "fuzz",
    externalId: "x",
    programId: "classic",
    tier: 1,
  };
  const more = { assetClass: "crypto", drawdownCriteria: "static", dailyLossPct: 5 };
  const key = { accountId, scopes: ["trade:read"], label: "x", addresses: ["127.0.0.0/8"] };
  const paid = { status: "paid", rail: "bank", provider: "x", reference: "y" };
  return new Map<string, unknown>([
    ["accounts.open", { ...account, ...more, provisioned: true }],
    ["accounts.eliminate", { reason: "x", phase: "funded" }],
    ["accounts.promote", { phase: "challenge" }],
    ["accounts.close", { phase: "funded" }],
    ["accounts.offerPro", { proAccountSize: 200_000, program: "pro", phase: "challenge" }],
    ["people.add", { name: "fuzz", role: "owner", ownerId: "fuzz" }],
    ["tokens.add", { name: "fuzz", expiresInHours: 1 }],
    ["keys.create", { ...key, expiresAtMs: 4_000_000_000_000 }],
    ["payouts.record", paid],
    ["programs.add", firstProgram(programs)],
    ["programs.validate", firstProgram(programs)],
    ["catalogue.validate", smallCatalogue(catalogue)],
    ["journal.verify", { accountId }],
    ["journal.rebuild", { accountId, write: true }],
  ]);
}

function firstProgram(file: unknown): unknown {
  return Object(Object(file).programs[0]);
}

/** The catalogue file with its first two instruments only, which keeps the bodies short. */
function smallCatalogue(file: unknown): unknown {
  const { instruments, ...rest } = Object(file);
  return { ...rest, instruments: [...instruments].slice(0, 2) };
}

/**
 * The field whose values are not replaced by values of the wrong type: the service does not read the defaults of a
 * class without instruments, so it would not refuse them.
 */
const UNREAD = "classes";

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/**
 * Two suites. Any operator call with any ids, query and body gets a known status. A wrong type in a field gets a 400.
 */
export async function operatorCallsSuites(world: FuzzedService): Promise<readonly FuzzSuite[]> {
  const { service } = world;
  // The calls get an account of their own, because they may end it.
  const accountId = await service.newAccount();
  const { keyId } = await service.newKey({ accountId });
  const ids = [accountId, keyId, `po_${accountId}_1767571200000`, "classic", "pro"];
  const bodies = await bodiesFor(accountId);
  for (const name of bodies.keys())
    assert.ok(
      OPERATOR_ROUTES.some((route) => route.name === name),
      name,
    );
  const anyCall = createFuzzSuite({
    name: "calls of the operator",
    defaultRuns: 600,
    inputs: fc
      .constantFrom(...OPERATOR_ROUTES)
      .chain((route) => callsOf(route, { ids, body: bodies.get(route.name) ?? {} })),
    try: async (call) => void (await answerTo(world, call)),
  });
  return [anyCall, wrongTypesSuite(world, { accountId, bodies })];
}

/** A value of the wrong type gets a 400 that names its field. */
function wrongTypesSuite(
  world: FuzzedService,
  known: { readonly accountId: string; readonly bodies: ReadonlyMap<string, unknown> },
): FuzzSuite {
  const places = OPERATOR_ROUTES.flatMap((route) => {
    const document = known.bodies.get(route.name);
    const paths = jsonPathsOf(document).filter(
      (path) => isScalarAt(document, path) && path[0] !== UNREAD,
    );
    return paths.map((path) => ({ route, document, path }));
  });
  return createFuzzSuite({
    name: "a wrong type in each field of the operator's calls",
    defaultRuns: 300,
    inputs: fc.tuple(fc.constantFrom(...places), fc.constantFrom<unknown>([], {}, [1], { x: 1 })),
    async try([{ route, document, path }, value]) {
      const answer = await answerTo(world, {
        name: route.name,
        method: route.method,
        path: route.path.replace(/:\w+/g, known.accountId),
        body: JSON.stringify(withValueAt(document, path, value)),
      });
      const field = String(path.findLast((part) => typeof part === "string") ?? "");
      assert.equal(answer?.status, 400, answer?.body);
      assert.ok(errorTextOf(answer).includes(field), `${field}: ${answer.body}`);
    },
  });
}

/** Valid and invalid values of the parameters of lists. */
const VALUES = [
  ...["0", "1", "500", "501", "-1", "1e3", "1767571200000", "paid", "owner", "true,false", "null"],
  ...[
    "null,set",
    ",",
    "csv",
    "ndjson",
    "name",
    "-name",
    "--name",
    "%F0%9F%98%80",
    "%00",
    "%27%22%3B",
  ],
];

function callsOf(
  route: OperatorRoute,
  given: { readonly ids: readonly string[]; readonly body: unknown },
): fc.Arbitrary<Call> {
  const query = fc.oneof(
    fc.constant(""),
    fc.webQueryParameters().map((text) => `?${text}`),
    fc
      .tuple(
        fc.constantFrom("limit", ...route.query),
        fc.oneof(hostileIds(given.ids), fc.constantFrom(...VALUES, ...route.query)),
      )
      .map(([name, value]) => `?${name}=${value}`),
  );
  return fc
    .record({ id: hostileIds(given.ids), query, body: documentVariants(given.body) })
    .map(({ id, query: search, body }) => ({
      name: route.name,
      method: route.method,
      path: route.path.replace(/:\w+/g, id) + search,
      body: route.method === "POST" ? body : "",
    }));
}

/** Sends the call and checks its answer; null when the answer is a file. */
async function answerTo(
  world: FuzzedService,
  { method, path, body }: Call,
): Promise<CheckedAnswer | null> {
  const { port } = world.service;
  const reply = await sendRequest(
    {
      port,
      host: "127.0.0.1",
      method,
      path: `/operator/v1${path}`,
      headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
    },
    Buffer.from(body, "utf8"),
  );
  const isFile = !String(reply.headers["content-type"]).startsWith("application/json");
  if (isFile) return null;
  // The answer that creates a key may show its secret, so the checker must not see it.
  const shown = reply.text.replace(/"secret":"propgate_sk_[\w-]{49}"/, '"secret":"shown once"');
  const answer = { status: reply.status, body: shown };
  world.checker.status(STATUSES, answer);
  return answer;
}
