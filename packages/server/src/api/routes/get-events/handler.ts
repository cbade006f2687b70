import { wireJson } from "@propgate/base";
import { type EventsPage, parseEventsQuery } from "@propgate/contract";
import type { EventDesk, OnRequestEnd } from "@propgate/ledger";
import { coreEventTypesOf, cursorProblemText, eventView } from "@propgate/wire";
import type { BoundedHandler } from "../../bounded-reads.ts";
import { fittingPage } from "../fitting-page.ts";
import { answerWithJson, rejectWith } from "../handler.ts";

/** GET events: the account's events, in order. @rule D9.events D9.cursor D9.wait D9.proof D12.waitEnds */
export const getEvents =
  ({ events }: { readonly events: EventDesk }): BoundedHandler =>
  async ({ accountId, query, keyInUse, untilOver, waitWithoutSlot }) => {
    const parsed = parseEventsQuery(query);
    if (!parsed.ok) return rejectWith("invalidEvents", parsed.message);
    const { after, limit, waitMs, hasProof } = parsed;
    const types = parsed.types === null ? null : coreEventTypesOf(parsed.types);
    const request = { after, limit, types, waitMs };
    let hasWaited = false;
    const read = await events.read(accountId, request, {
      untilOver: eitherOver(untilOver, keyInUse.onEnded),
      aside: (waiting) => {
        hasWaited = true;
        return waitWithoutSlot(waiting);
      },
    });
    // The key may have ended during the wait, so it is looked up again before the answer. @rule D12.waitEnds decides
    if (hasWaited && !(await keyInUse.isAllowed())) return rejectWith("invalidKey");
    if (!read.ok) {
      const { problem } = read;
      if (problem.kind === "noTurn") return rejectWith("rateLimited");
      return rejectWith("invalidEvents", cursorProblemText(problem));
    }
    const { items, next } = await fittingPage({
      isNewest: false,
      found: read.lines,
      next: read.next,
      lineOf: (line) => line,
      view: (line) => eventView(line, hasProof),
    });
    const { sequence, hash } = read.head;
    const head: EventsPage["head"] = { sequence, hash: Buffer.from(hash).toString("hex") };
    return answerWithJson(`{"items":${items},"next":${next},"head":${wireJson(head)}}`);
  };

/** Combines two functions that call a listener at an end: the listener is called at the first end of either. */
function eitherOver(one: OnRequestEnd, other: OnRequestEnd): OnRequestEnd {
  return (listener) => {
    const forgetOne = one(listener);
    const forgetOther = other(listener);
    return () => {
      forgetOne();
      forgetOther();
    };
  };
}
