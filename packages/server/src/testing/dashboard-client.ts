import type { Role } from "@propgate/contract";
import { DASHBOARD_PREFIX } from "@propgate/contract";
import { type OwnerId, ownerId } from "@propgate/core";
import type { PeopleDesk } from "../../../access/src/people/people-desk.ts";
import type { Person } from "../../../access/src/storage/person.ts";
import { type Reply, sendRequest } from "./signed-request.ts";

/**
 * The optional parts of a request of a page. `body` is sent as JSON, `raw` as it is. A header with an empty value omits
 * the default header of this name.
 */
export interface PageRequest {
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser that shows the pages of a service in this process. */
export interface DashboardClient {
  readonly origin: string;
  /** The cookie as it is sent, `name=value`; empty when no person is signed in. */
  cookie(): string;
  /** Calls `path` below `/dashboard/v1`, and keeps the cookie that the answer sets. */
  call(method: string, path: string, given?: PageRequest): Promise<Reply>;
  /** The `data` of an answer that must be 200. */
  data<Data = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Data>;
  /** The status and the error of an answer that must be a failure. */
  refusal(method: string, path: string, body?: unknown): Promise<readonly [number, unknown]>;
}

/** A signed-in browser and its person. */
export interface SignedInClient extends DashboardClient {
  readonly person: Person;
}

export const TEST_PASSWORD = "a long enough password";

export function createDashboardClient(service: {
  readonly port: number;
  /** The origin of the pages as the browser shows it; the socket's address unless given. */
  readonly origin?: string;
  readonly browser?: string;
  /** Confirms with `TEST_PASSWORD` when a call requires it, and repeats the call; true unless given. */
  readonly confirms?: boolean;
}): DashboardClient {
  const origin = service.origin ?? `http://127.0.0.1:${service.port}`;
  let cookie = "";
  let known = "";
  const keepCookies = (set: readonly string[]): void => {
    for (const line of set) {
      const [pair = ""] = line.split(";");
      if (pair.includes("propgate_browser=")) known = pair;
      else cookie = line.includes("Max-Age=0") ? "" : pair;
    }
  };
  const send: DashboardClient["call"] = async (method, path, given = {}) => {
    const body = bodyOf(given);
    const headers = {
      Host: new URL(origin).host,
      "User-Agent": service.browser ?? "Test browser",
      "Sec-Fetch-Site": "same-origin",
      Origin: method === "GET" ? "" : origin,
      Cookie: [cookie, known].filter(Boolean).join("; "),
      "Content-Type": body === "" ? "" : "application/json",
      ...given.headers,
    };
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
    const target = `${DASHBOARD_PREFIX}${path}`;
    const { port } = service;
    const reply = await sendRequest(
      { host: "127.0.0.1", port, method, path: target, headers: sent },
      body,
    );
    keepCookies(reply.headers["set-cookie"] ?? []);
    return reply;
  };
  const call: DashboardClient["call"] = async (method, path, given) => {
    const reply = await send(method, path, given);
    if (service.confirms === false || !reply.text.includes("confirmation_needed")) return reply;
    const confirmed = await send("POST", "/confirm", { body: { password: TEST_PASSWORD } });
    return confirmed.status === 200 ? send(method, path, given) : reply;
  };
  return {
    origin,
    cookie: () => cookie,
    call,
    async data(method, path, body) {
      const reply = await call(method, path, { body });
      if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.text}`);
      return (reply.json() as { readonly data: never }).data;
    },
    async refusal(method, path, body) {
      const reply = await call(method, path, { body });
      return [reply.status, (reply.json() as { readonly error: unknown }).error];
    },
  };
}

function bodyOf({ raw, body }: PageRequest): string {
  return raw ?? (body === undefined ? "" : JSON.stringify(body));
}

/**
 * Adds a person as the service does, sets `TEST_PASSWORD` by a one-time link, and ends the session that the link began.
 */
export async function addTestPerson(
  people: PeopleDesk,
  given: { readonly name: string; readonly role: Role; readonly ownerId?: OwnerId },
): Promise<Person> {
  const { name, role } = given;
  const owner = role === "owner" ? (given.ownerId ?? ownerId(name)) : null;
  const person = await people.roster.add({ name, role, ownerId: owner });
  if (person === null) throw new Error(`the name ${name} is taken`);
  const link = await people.links.make(person);
  await people.links.use(
    { token: link.token, password: TEST_PASSWORD },
    { address: "127.0.0.1", browser: "" },
  );
  await people.sessions.endAll(person.personId);
  return person;
}
