import {
  type AuditPage,
  JOURNAL_EXPORT,
  type JournalCheck,
  type JournalEntry,
  type JournalPage,
} from "@propgate/contract";
import { type AccountId, type ChainedLine, type Instruments, parseLineEvent } from "@propgate/core";
import type { JournalDesk, JournalPart } from "@propgate/ledger";
import { eventSentence, type NetworkReadings } from "@propgate/wire";
import { journalFileReply } from "../../json/journal-file.ts";
import { fieldProblem, type Parsed, problemReply } from "../../json/json-fields.ts";
import { type JsonReply, notOfferedReply, okReply, refusedReply } from "../../json/json-reply.ts";
import { answerEvidence, type EvidenceOptions } from "../../readings/account-evidence.ts";
import type { AccountCall, AccountCallInput } from "./account-call.ts";

/** Selects at most `limit` lines before line `before`, newest first. A null `before` begins at the newest line. */
export interface LinesBefore {
  readonly before: number | null;
  readonly limit: number;
}

/** Selects lines of the audit about one account. */
export interface AuditQuery extends LinesBefore {
  readonly accountId: AccountId;
}

export interface JournalOptions extends Pick<EvidenceOptions, "evidence" | "expensiveReads"> {
  readonly instruments: Instruments;
  readonly readings: NetworkReadings;
  readonly journal: Pick<JournalDesk, "verify" | "export" | "readLastLines">;
  readonly newestLines: (account: AccountId, page: LinesBefore) => Promise<readonly ChainedLine[]>;
  /** The audit of the pages and of the console. */
  readonly audit: { list(query: AuditQuery): Promise<AuditPage> };
}

const LIMIT_MAX = 200;
const LIMIT = 50;
const PART_LINES_MAX = 1_000;

/**
 * The calls for an account's journal: its lines, its verification, its file and its evidence; and for the account's
 * audit.
 */
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
      name: "journal.export",
      method: "GET",
      path: `/accounts/:id/${JOURNAL_EXPORT}`,
      handle: (input) => exportPart(options, input),
    },
    {
      name: "account.evidence",
      method: "GET",
      path: "/accounts/:id/evidence",
      async handle({ account, query }) {
        const { noDecisionsReason } = options.readings[account.network];
        if (noDecisionsReason !== null) return notOfferedReply(noDecisionsReason);
        return answerEvidence(options, account, query.format);
      },
    },
    {
      name: "account.audit",
      method: "GET",
      path: "/accounts/:id/audit",
      async handle({ accountId, query }) {
        const page = linesBefore(query);
        if (!page.ok) return problemReply(page);
        return okReply(await options.audit.list({ accountId, ...page.value }));
      },
    },
  ];
}

async function readPage(
  options: JournalOptions,
  { accountId, query }: AccountCallInput,
): Promise<JsonReply> {
  const page = linesBefore(query);
  if (!page.ok) return problemReply(page);
  const { before, limit } = page.value;
  // One line more than the page has is read, to know whether another page follows.
  const lines = await options.newestLines(accountId, { before, limit: limit + 1 });
  const entries = lines.slice(0, limit).map((line) => journalEntry(line, options.instruments));
  const last = entries.at(-1);
  const next = lines.length > limit && last !== undefined ? last.sequence : null;
  return okReply({ entries, before: next } satisfies JournalPage);
}

function journalEntry(line: ChainedLine, instruments: Instruments): JournalEntry {
  const event = parseLineEvent(line.event);
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

/**
 * Verifies the account's journal. This reads the whole journal, so an account has at most one verification at a time.
 */
async function verify(
  { journal }: JournalOptions,
  verifying: Set<AccountId>,
  { accountId }: AccountCallInput,
): Promise<JsonReply> {
  if (verifying.has(accountId)) {
    return refusedReply("The journal of this account is being verified already", 429);
  }
  verifying.add(accountId);
  try {
    const { events, broken } = await journal.verify(accountId);
    const [first] = broken;
    const check: JournalCheck = {
      events,
      broken: first === undefined ? null : { sequence: first.seq, problem: first.why },
    };
    return okReply(check);
  } finally {
    verifying.delete(accountId);
  }
}

/** Answers the journal's file, or the part of it that `after` and `limit` select. */
async function exportPart(
  { journal }: JournalOptions,
  { accountId, query }: AccountCallInput,
): Promise<JsonReply> {
  const part = partOf(query);
  return part.ok
    ? journalFileReply(journal.export(accountId, part.value), accountId)
    : problemReply(part);
}

function partOf({ after = "0", limit }: Readonly<Record<string, string>>): Parsed<JournalPart> {
  if (!LINE_NUMBER.test(after)) return fieldProblem("after", NOT_A_LINE);
  if (limit === undefined) return { ok: true, value: { after: Number(after), limit: null } };
  const lines = limitOf(limit, PART_LINES_MAX);
  return lines.ok ? { ok: true, value: { after: Number(after), limit: lines.value } } : lines;
}

const LINE_NUMBER = /^\d{1,15}$/;
const NOT_A_LINE = "must be the number of a line";

function limitOf(text: string, max: number): Parsed<number> {
  const limit = Number(text);
  return /^\d{1,4}$/.test(text) && limit >= 1 && limit <= max
    ? { ok: true, value: limit }
    : fieldProblem("limit", `must be a whole number from 1 to ${max}`);
}

function linesBefore({
  before,
  limit = String(LIMIT),
}: Readonly<Record<string, string>>): Parsed<LinesBefore> {
  const lines = limitOf(limit, LIMIT_MAX);
  if (!lines.ok) return lines;
  if (before !== undefined && !LINE_NUMBER.test(before)) {
    return fieldProblem("before", NOT_A_LINE);
  }
  return {
    ok: true,
    value: { before: before === undefined ? null : Number(before), limit: lines.value },
  };
}
