import { DASHBOARD_PREFIX } from "@propgate/contract";
import fc from "fast-check";
import type { Person } from "../../../packages/access/src/storage/person.ts";
import {
  type OwnCall,
  SIGN_IN_CALLS,
} from "../../../packages/server/src/calls/pages/dashboard-interface.ts";
import { sendRequest } from "../../../packages/server/src/testing/signed-request.ts";
import { arbitraryCharacter } from "../../../test/environment/arbitrary-character.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import type { FuzzedService } from "../fuzzed-service.ts";
import { documentVariants, hostileIds } from "../mutated-calls.ts";

/** The possible statuses of the calls. The 503 of too many concurrent sign-ins cannot happen in this suite. */
const STATUSES = [200, 400, 401, 403, 404, 409, 413, 429];

const bytes = (text: string): string => Buffer.from(text).toString("base64url");
const TOKEN = "A".repeat(43);
/** A challenge of the right length that the service has not issued. */
const CHALLENGE = "A".repeat(72);
const CLIENT_DATA = bytes(
  JSON.stringify({ type: "webauthn.get", challenge: CHALLENGE, origin: "x" }),
);
const CREDENTIAL = { id: "AAAA", rawId: "AAAA", type: "public-key" };

const SIGNED = {
  response: {
    ...CREDENTIAL,
    response: {
      clientDataJSON: CLIENT_DATA,
      authenticatorData: "AAAA",
      signature: "AAAA",
      userHandle: "AAAA",
    },
  },
};

/** Valid bodies of the calls, by the name of the call; other calls have an empty body. */
const BODIES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["sign-in", { name: "fuzz", password: "not the password" }],
  ["link.look", { token: TOKEN }],
  [
    "link.use",
    { token: TOKEN, password: "long enough by far", keepPasskeys: true, revokeKeys: true },
  ],
  ["confirm", { password: "not the password" }],
  ["password.change", { current: "not the password", next: "long enough by far" }],
  ["sign-in.passkey", SIGNED],
  ["confirm.passkey", SIGNED],
  [
    "passkey.add",
    {
      label: "x",
      response: {
        ...CREDENTIAL,
        response: {
          clientDataJSON: CLIENT_DATA,
          attestationObject: bytes("\u00a1\u0000"),
          transports: ["usb"],
        },
      },
    },
  ],
]);

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly cookie: string | null;
}

/** Any sign-in call with any id, body, challenge and cookie gets a known status. */
export async function pageCallsSuite({ service, checker }: FuzzedService): Promise<FuzzSuite> {
  const { person } = await service.signIn("operator", { name: "fuzz" });
  return createFuzzSuite({
    name: "calls of the pages about signing in",
    defaultRuns: 400,
    inputs: fc.constantFrom(...SIGN_IN_CALLS).chain(callsOf),
    async try({ method, path, body, cookie }) {
      const { port } = service;
      const origin = `http://localhost:${port}`;
      const headers = {
        Host: `localhost:${port}`,
        Origin: origin,
        Cookie: `propgate_session=${cookie ?? (await freshToken(service, person))}`,
      };
      const target = `${DASHBOARD_PREFIX}${path}`;
      const sent = { port, host: "127.0.0.1", method, path: target, headers };
      const { status, text } = await sendRequest(sent, Buffer.from(body, "utf8"));
      checker.status(STATUSES, { status, body: text });
    },
  });
}

async function freshToken(
  { people, database }: FuzzedService["service"],
  person: Person,
): Promise<string> {
  const from = { address: "127.0.0.1", browser: "" };
  return (await people.sessions.begin(person, from, database)).token;
}

function callsOf(route: OwnCall): fc.Arbitrary<Call> {
  // The client data in the browser's response contains the challenge.
  const challenge = fc.oneof(
    fc.string({ unit: arbitraryCharacter }),
    fc.constant("\u0000"),
    fc.constant(CHALLENGE),
  );
  const body = fc.oneof(
    documentVariants(BODIES.get(route.name) ?? {}),
    challenge.map((text) =>
      JSON.stringify(BODIES.get(route.name) ?? {}).replace(
        CLIENT_DATA,
        bytes(JSON.stringify({ type: "webauthn.create", challenge: text, origin: "x" })),
      ),
    ),
  );
  return fc
    .record({
      id: hostileIds([TOKEN]),
      body,
      cookie: fc.option(fc.stringMatching(/^[!-+\--:<-~]{0,60}$/), { freq: 4 }),
    })
    .map(({ id, body: text, cookie }) => ({
      method: route.method,
      path: route.path.replace(/:\w+/g, id),
      body: route.method === "POST" ? text : "",
      // Null stands for the session cookie of the signed-in person.
      cookie,
    }));
}
