import type { AuditPage, JournalCheck, JournalEntry, JournalPage } from "@propgate/contract";
import type { AccountId, Instruments } from "@propgate/core";
import type { NetworkReadings } from "../../../api/network/account-readings.ts";
import type { StoredLine } from "../../../storage/journal/journal-store.ts";
import { parseEvent } from "../../../storage/journal/parse-event.ts";
import type { JournalDesk } from "../../../trading/journal/journal-desk.ts";
import type { Parsed } from "../../json/json-fields.ts";
import { fine, type JsonReply, notOffered, refused } from "../../json/json-reply.ts";
import { eventSentence } from "../journal/event-sentence.ts";
import type { AccountCall, HandlerInput } from "./account-call.ts";

/** Selects the lines before `before`, newest first. */
export interface LinesBefore {
  readonly before: number | null;
  readonly limit: number;
}

export interface AuditQuery extends LinesBefore {
  readonly accountId: AccountId;
}

export interface JournalOptions {
  readonly instruments: Instruments;
  readonly readings: NetworkReadings;
  readonly journal: Pick<JournalDesk, "verify">;
  readonly newestLines: (account: AccountId, page: LinesBefore) => Promise<readonly StoredLine[]>;
  /** The audit of the pages and the console. */
  readonly audit: { list(query: AuditQuery): Promise<AuditPage> };
}

const LIMIT_MAX = 200;
const LIMIT = 50;

/** The account's journal as its owner reads it, its verification, and its audit. */
export function journalCalls(options: JournalOptions): readonly AccountCall[] {
  const verifying = new Set<AccountId>();
  return [
    {
      name: "journal.page",
      method: "GET",
      path: "/accounts/:id/journal",
      handle: (input) => readPage(options, input),
    },
    {
      name: "journal.verify",
      method: "POST",
      path: "/accounts/:id/journal/verify",
      handle: (input) => verify(options, verifying, input),
    },
    {
      name: "account.audit",
      method: "GET",
      path: "/accounts/:id/audit",
      async handle({ accountId, query }) {
        const page = linesBefore(query);
        if (!page.ok) return refused(page.problem, 400);
        return fine(await options.audit.list({ accountId, ...page.value }));
      },
    },
  ];
}

async function readPage(
  options: JournalOptions,
  { account, accountId, query }: HandlerInput,
): Promise<JsonReply> {
  const { noJournal } = options.readings[account.network];
  if (noJournal !== null) return notOffered(noJournal);
  const page = linesBefore(query);
  if (!page.ok) return refused(page.problem, 400);
  const { before, limit } = page.value;
  // Reads one line more than it shows, to know whether another page follows.
  const lines = await options.newestLines(accountId, { before, limit: limit + 1 });
  const entries = lines.slice(0, limit).map((line) => journalEntry(line, options.instruments));
  const last = entries.at(-1);
  const next = lines.length > limit && last !== undefined ? last.sequence : null;
  return fine({ entries, before: next } satisfies JournalPage);
}

function journalEntry(line: StoredLine, instruments: Instruments): JournalEntry {
  const event = parseEvent(line.event);
  const kept: unknown = JSON.parse(line.event);
  return {
    sequence: line.seq,
    atMs: line.atMs,
    type: event.type,
    summary: eventSentence(event, instruments),
    by: line.keyId === null ? (line.origin.split(":")[0] ?? "") : `key ${line.keyId}`,
    nonce: line.nonce,
    event: kept,
    hash: Buffer.from(line.hash).toString("hex"),
  };
}

/** A verification reads the whole journal, so an account has at most one at a time. */
async function verify(
  { journal, readings }: JournalOptions,
  verifying: Set<AccountId>,
  { account, accountId }: HandlerInput,
): Promise<JsonReply> {
  const { noJournal } = readings[account.network];
  if (noJournal !== null) return notOffered(noJournal);
  if (verifying.has(accountId)) {
    return refused("The journal of this account is being verified already", 429);
  }
  verifying.add(accountId);
  try {
    const { events, broken } = await journal.verify(accountId);
    const [first] = broken;
    const check: JournalCheck = {
      events,
      broken: first === undefined ? null : { sequence: first.seq, problem: first.why },
    };
    return fine(check);
  } finally {
    verifying.delete(accountId);
  }
}

function linesBefore({
  before,
  limit = String(LIMIT),
}: Readonly<Record<string, string>>): Parsed<LinesBefore> {
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > LIMIT_MAX) {
    return { ok: false, problem: `limit: must be a whole number from 1 to ${LIMIT_MAX}` };
  }
  if (before !== undefined && !/^\d{1,15}$/.test(before)) {
    return { ok: false, problem: "before: must be the number of a line" };
  }
  return {
    ok: true,
    value: { before: before === undefined ? null : Number(before), limit: Number(limit) },
  };
}
