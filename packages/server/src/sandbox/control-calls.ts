import { type AccountId, accountId, roundUsd } from "@propgate/core";
import type { z } from "zod";
import { payoutView } from "../operator/operator-views.ts";
import type { AccountDeed } from "../operator/operator-world.ts";
import { recordPayment } from "../operator/record-payment.ts";
import {
  ACTION,
  FAULT_CHANGE,
  KEY,
  PAYMENT,
  type Parsed,
  parse,
  parseAccount,
  parseClockMove,
  parseQuotes,
} from "./control-requests.ts";
import type { ControlWorld } from "./control-world.ts";

export interface ControlCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface ControlReply {
  readonly status: 200 | 400 | 404;
  readonly body: unknown;
}

type Handler = (world: ControlWorld, call: ControlCall) => Promise<ControlReply>;

/** The control plane, call by call. */
export const CONTROL_CALLS: readonly {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly handle: Handler;
}[] = [
  { method: "POST", path: "/clock", handle: moveClock },
  { method: "POST", path: "/quotes", handle: giveQuotes },
  { method: "POST", path: "/accounts", handle: openAccount },
  { method: "POST", path: "/accounts/:id/actions", handle: actOnAccount },
  { method: "POST", path: "/payouts/:id", handle: recordPayout },
  { method: "POST", path: "/keys", handle: createKey },
  { method: "DELETE", path: "/keys/:keyId", handle: revokeKey },
  { method: "POST", path: "/faults", handle: setFaults },
  { method: "GET", path: "/journal", handle: readJournal },
  { method: "GET", path: "/state", handle: readState },
];

async function moveClock(world: ControlWorld, { body }: ControlCall): Promise<ControlReply> {
  const target = parseClockMove(body, world.clock.now());
  if (!target.ok) return wrong(target);
  await world.time.moveTo(target.value);
  return fine({ now: world.clock.now() });
}

async function giveQuotes(world: ControlWorld, { body }: ControlCall): Promise<ControlReply> {
  const now = world.clock.now();
  const quotes = parseQuotes(body, { instruments: world.instruments, now });
  if (!quotes.ok) return wrong(quotes);
  await world.give(quotes.value);
  return fine({ now, quotes: quotes.value.length });
}

async function openAccount(world: ControlWorld, { body }: ControlCall): Promise<ControlReply> {
  const order = parseAccount(body);
  if (!order.ok) return wrong(order);
  const opened = await world.accounts.open(order.value);
  return typeof opened === "string" ? fine({ accountId: opened }) : refused(opened.refused);
}

async function actOnAccount(world: ControlWorld, call: ControlCall): Promise<ControlReply> {
  const parsed = parse(ACTION, call.body);
  if (!parsed.ok) return wrong(parsed);
  const id = await knownAccount(world, call.parameters.id);
  if (id === null) return missing("Account not found");
  const done = await world.accounts.act(id, deedOf(parsed.value));
  if (done === "missing") return missing("Account not found");
  if (done === "done") return fine({ accountId: id });
  return refused(done.field === null ? `action: ${done.refused}` : done.refused);
}

function deedOf(asked: z.infer<typeof ACTION>): AccountDeed {
  switch (asked.action) {
    case "eliminate":
      return { deed: "eliminate", reason: asked.reason };
    case "offerPro":
      return { deed: "offerPro", proAccountSize: roundUsd(asked.proAccountSize), program: null };
    case "promote":
    case "close":
    case "provision":
      return { deed: asked.action };
  }
}

async function recordPayout(
  { payouts }: ControlWorld,
  { parameters, body }: ControlCall,
): Promise<ControlReply> {
  const parsed = parse(PAYMENT, body);
  if (!parsed.ok) return wrong(parsed);
  const recorded = await recordPayment(payouts, parameters.id ?? "", parsed.value);
  if (recorded === "missing") return missing("Payout not found");
  return "refused" in recorded ? refused(recorded.refused) : fine(payoutView(recorded));
}

async function createKey(world: ControlWorld, { body }: ControlCall): Promise<ControlReply> {
  const parsed = parse(KEY, body);
  if (!parsed.ok) return wrong(parsed);
  const id = await knownAccount(world, parsed.value.accountId);
  if (id === null) return missing("Account not found");
  const scopes = parsed.value.scopes.map((scope) => SCOPES[scope]);
  const { key, secret } = await world.keys.create({ accountId: id, scopes });
  return fine({ keyId: key.keyId, secret });
}

const SCOPES = { "trade:read": "read", "trade:place": "place" } as const;

async function revokeKey(world: ControlWorld, { parameters }: ControlCall): Promise<ControlReply> {
  const keyId = parameters.keyId ?? "";
  return (await world.keys.revoke(keyId)) ? fine({ keyId }) : missing("Key not found");
}

async function setFaults(world: ControlWorld, { body }: ControlCall): Promise<ControlReply> {
  const parsed = parse(FAULT_CHANGE, body);
  if (!parsed.ok) return wrong(parsed);
  world.faults.set(parsed.value);
  return fine({ faults: world.faults.read() });
}

async function readJournal(world: ControlWorld, { query }: ControlCall): Promise<ControlReply> {
  const asked = query.accountId;
  if (typeof asked !== "string") return refused("accountId: one is needed in the query");
  const id = await knownAccount(world, asked);
  if (id === null) return missing("Account not found");
  return fine({ accountId: id, events: await world.journal(id) });
}

async function readState(world: ControlWorld): Promise<ControlReply> {
  return fine({
    now: world.clock.now(),
    clock: world.clock.mode,
    quotes: [...world.quotes.values()].map(({ pair, bid, ask, atMs }) => ({
      pair,
      bid,
      ask,
      atMs,
    })),
    faults: world.faults.read(),
  });
}

async function knownAccount(
  world: ControlWorld,
  asked: string | undefined,
): Promise<AccountId | null> {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(asked ?? "");
  if (asked === undefined || !isUuid) return null;
  const id = accountId(asked.toLowerCase());
  return (await world.accounts.has(id)) ? id : null;
}

function fine(body: unknown): ControlReply {
  return { status: 200, body };
}

function wrong(parsed: Extract<Parsed<unknown>, { readonly ok: false }>): ControlReply {
  return refused(parsed.problem);
}

function refused(error: string): ControlReply {
  return { status: 400, body: { error } };
}

function missing(error: string): ControlReply {
  return { status: 404, body: { error } };
}
