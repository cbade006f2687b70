import { type IncomingMessage, request } from "node:http";
import { ownerId, unixMs } from "@propgate/core";
import type { FastifyRequest } from "fastify";
import { openLog } from "../../../base/src/log.ts";
import type { PersonId } from "../../../ledger/src/storage/rows/person-id.ts";
import { addJsonInterface } from "../calls/json/json-interface.ts";
import type { AuditDetails } from "../calls/json/json-reply.ts";
import type { Visitor } from "../calls/pages/page-call.ts";
import type { SignedInOptions } from "../start/compose-account-pages.ts";
import type { Engine } from "../start/engine.ts";
import { type Harness, type HarnessOptions, OWNER, openHarness } from "./harness.ts";

export interface PageAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly error: unknown;
}

/** A call that the audit records. */
export interface AuditedCall {
  readonly name: string;
  readonly status: number;
  readonly about: AuditDetails | undefined;
}

/** A service whose pages treat each caller as the person that the test chooses. */
export interface PagedService extends Harness {
  readonly audited: readonly AuditedCall[];
  /** The names of all calls of an account's pages. */
  readonly callNames: readonly string[];
  readonly engine: Engine;
  page(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    given?: { readonly as?: TestPerson; readonly body?: unknown },
  ): Promise<PageAnswer>;
  /** The `data` of an answer that must be 200. */
  data<Data>(path: string, as?: TestPerson): Promise<Data>;
  /** A streamed answer, on a separate connection. */
  stream(
    path: string,
    given?: { readonly as?: TestPerson; readonly session?: string },
  ): Promise<IncomingMessage>;
}

/** The person who makes a call. `owner` has the harness's accounts, `stranger` is another owner. */
export type TestPerson = "owner" | "stranger" | "operator";

/** The URL prefix of the pages in these tests. It differs from that of the real pages, which need a sign-in. */
const PREFIX = "/pages-of-a-test";
const NO_AUDIT: SignedInOptions["audit"] = { list: async () => ({ lines: [], before: null }) };
const AS = "x-test-person";
const SESSION = "x-test-session";

export async function openPagedService(
  given: { readonly harness?: HarnessOptions; readonly signedIn?: Partial<SignedInOptions> } = {},
): Promise<PagedService> {
  const audited: AuditedCall[] = [];
  const callNames: string[] = [];
  const composed = Promise.withResolvers<Engine>();
  const service = await openHarness({
    ...given.harness,
    mount: ({ app, accountPages, engine }) => {
      composed.resolve(engine);
      const routes = accountPages({ audit: NO_AUDIT, ...given.signedIn });
      callNames.push(...routes.map(({ name }) => name));
      const lasting = new Set(routes.flatMap((route) => (route.audited ? [route.name] : [])));
      addJsonInterface<Visitor>(app, {
        prefix: PREFIX,
        routes,
        log: openLog("silent"),
        authenticate: (request) => ({ caller: visitorOf(request) }),
        onAnswered({ name, reply }) {
          if (!lasting.has(name)) return;
          audited.push({
            name,
            status: reply.status,
            about: "about" in reply ? reply.about : undefined,
          });
        },
      });
    },
  });
  const urlOf = (path: string) => `http://127.0.0.1:${service.port}${PREFIX}${path}`;
  const page: PagedService["page"] = async (method, path, { as = "owner", body } = {}) => {
    const response = await fetch(urlOf(path), {
      method,
      headers: { [AS]: as },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const { data, error } = (await response.json()) as Partial<PageAnswer>;
    return { status: response.status, data, error };
  };
  return {
    ...service,
    audited,
    callNames,
    engine: await composed.promise,
    page,
    async data<Data>(path: string, as: TestPerson = "owner") {
      const answer = await page("GET", path, { as });
      if (answer.status !== 200)
        throw new Error(`${path}: ${answer.status} ${String(answer.error)}`);
      return answer.data as Data;
    },
    stream: (path, { as = "owner", session = "session-1" } = {}) =>
      new Promise((resolve, reject) => {
        const headers = { [AS]: as, [SESSION]: session };
        request(urlOf(path), { agent: false, headers }, resolve).on("error", reject).end();
      }),
  };
}

function visitorOf({ headers }: FastifyRequest): Visitor {
  const role = headers[AS] === "operator" ? "operator" : "owner";
  const name = String(headers[AS]);
  return {
    person: {
      personId: `person-of-${name}` as PersonId,
      name,
      role,
      ownerId: role === "operator" ? null : name === "owner" ? OWNER : ownerId(name),
      createdAtMs: unixMs(0),
      disabledAtMs: null,
      externalId: null,
    },
    sessionId: String(headers[SESSION] ?? "session-1"),
    address: "127.0.0.1",
    isConfirmed: true,
  };
}
