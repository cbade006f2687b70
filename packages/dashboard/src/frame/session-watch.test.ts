import type { SessionView } from "@propgate/contract";
import { describe, expect, test, vi } from "vitest";
import { createQueryClient } from "../api/query-client.ts";
import { sessionQuery } from "../api/session.ts";
import { watchSession } from "./session-watch.ts";

function sessionFor(personId: string): SessionView {
  return {
    person: { personId, name: personId, role: "owner", ownerId: personId },
    sessionId: `session of ${personId}`,
    signedInAtMs: 0,
    idleEndsAtMs: 0,
    endsAtMs: 0,
    brand: "Service",
    networkName: "network",
    baseUrl: "http://localhost",
  };
}

function watched() {
  const queries = createQueryClient(() => undefined);
  const calls = { onEnded: vi.fn(), onOther: vi.fn() };
  watchSession(queries, calls);
  const show = (session: SessionView | null): void => {
    queries.setQueryData(sessionQuery.queryKey, session);
  };
  return { queries, show, ...calls };
}

describe("a session that a page watches", () => {
  test("a session that ends is noticed once", () => {
    const { show, onEnded, onOther } = watched();
    show(sessionFor("ann"));
    show(null);
    show(null);
    expect([onEnded.mock.calls.length, onOther.mock.calls.length]).toEqual([1, 0]);
  });

  test("another person who signed in elsewhere in the browser is noticed, the same person is not", () => {
    const { show, onEnded, onOther } = watched();
    show(sessionFor("ann"));
    show({ ...sessionFor("ann"), sessionId: "a newer session" });
    expect(onOther).not.toHaveBeenCalled();
    show(sessionFor("bob"));
    expect([onEnded.mock.calls.length, onOther.mock.calls.length]).toEqual([0, 1]);
  });

  test("a person who signs in on this page is not another person", () => {
    const { queries, show, onOther } = watched();
    show(sessionFor("ann"));
    queries.clear();
    show(sessionFor("bob"));
    expect(onOther).not.toHaveBeenCalled();
  });
});
