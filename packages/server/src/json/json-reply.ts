import type { Person } from "../people/person.ts";

/** A call as its handler sees it: everything but who calls. */
export interface JsonCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** An empty object when none was sent. */
  readonly body: unknown;
}

/** What the line of the audit says beyond who, when and what: never a secret. */
export interface About {
  /** Who did it, where the call itself did not say: somebody who signs in. */
  readonly by?: Pick<Person, "personId" | "name" | "role">;
  readonly subject?: string;
  readonly accountId?: string;
  readonly detail?: string;
}

export type JsonReply =
  | {
      readonly status: 200;
      readonly data: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly about?: About;
    }
  /** A file or a stream of events, sent as it is made. */
  | {
      readonly status: 200;
      readonly content: AsyncIterable<Uint8Array>;
      readonly type: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | RefusedReply;

export interface RefusedReply {
  readonly status: 400 | 401 | 403 | 404 | 409 | 429 | 503;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly about?: About;
}

export function fine(data: unknown, about?: About): JsonReply {
  return about === undefined ? { status: 200, data } : { status: 200, data, about };
}

export function refused(error: string, status: RefusedReply["status"] = 409): RefusedReply {
  return { status, error };
}
