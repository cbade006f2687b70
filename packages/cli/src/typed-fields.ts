import type { OperatorCallName } from "@propgate/contract";

type Typed = Readonly<Record<string, string>>;

const PHASE = { phase: "--phase" };
const ACCOUNT = { accountId: "--account" };
const CHOICE = { reason: "--reason", version: "--seen" };

/**
 * The option or argument that a person types for each field of a call, so that an error names what they see. Documents
 * are missing: their errors name a path in the file.
 */
export const TYPED_FIELDS: Readonly<Partial<Record<OperatorCallName, Typed>>> = {
  "account.open": {
    size: "--size",
    program: "--program",
    ownerId: "--owner",
    assetClass: "--asset-class",
    drawdownCriteria: "--criteria",
    dailyLossPct: "--daily-loss",
    tier: "--tier",
    provisioned: "--no-provisioned",
  },
  "account.link": { subaccount: "--subaccount", ownerId: "--owner", profitSplitPercent: "--split" },
  "account.close": { ...PHASE, forfeit: "--forfeit" },
  "account.eliminate": { ...PHASE, reason: "--reason" },
  "account.promote": PHASE,
  "account.offerPro": { ...PHASE, proAccountSize: "--size", program: "--program" },
  "key.create": {
    ...ACCOUNT,
    scopes: "--scope",
    label: "--label",
    addresses: "--address",
    expiresAtMs: "--expires",
  },
  "key.list": ACCOUNT,
  "person.add": { name: "<name>", role: "--role", ownerId: "--owner" },
  "person.disable": { pauseKeys: "--pause-keys" },
  "person.enable": { resumeKeys: "--resume-keys" },
  "token.add": { name: "<name>", expiresInHours: "--expires" },
  "payout.record": {
    status: "--status",
    rail: "--rail",
    provider: "--provider",
    reference: "--reference",
  },
  "action.announce": {
    pair: "<pair>",
    kind: "split or dividend",
    newShares: "--ratio",
    oldShares: "--ratio",
    amount: "--amount",
    atMs: "--at",
    again: "--again",
  },
  "funding.set": { pair: "<pair>", rate: "<rate>", atMs: "--at", large: "--large" },
  "funding.withdraw": { atMs: "--at" },
  "journal.verify": ACCOUNT,
  "journal.rebuild": { ...ACCOUNT, write: "--write" },
  "price.effect": { source: "<source>" },
  "price.use": { ...CHOICE, source: "<source>", far: "--far" },
  "price.auto": CHOICE,
  "price.halt": CHOICE,
  "event.list": {
    ...ACCOUNT,
    after: "--after",
    limit: "--limit",
    types: "--types",
    programId: "--program",
    wait: "--wait",
  },
  backup: { database: "--database" },
  "webhook.make": {
    ...ACCOUNT,
    url: "<address>",
    label: "--label",
    types: "--types",
    from: "--from",
    enabled: "--disabled",
  },
  "webhook.change": {
    url: "--address",
    label: "--label",
    types: "--types",
    enabled: "--enabled",
  },
  "webhook.rotate": { overlapMs: "--overlap-hours" },
  "webhook.resume": ACCOUNT,
  "webhook.replay": { ...ACCOUNT, fromSequence: "--from-sequence", fromMs: "--from-time" },
  "webhook.send": { eventId: "<event>" },
  "audit.verify": { head: "--head" },
};

/** The error of a call with what the person typed in place of the field that it begins with. */
export function typedError(name: OperatorCallName, error: string): string {
  const typed = TYPED_FIELDS[name] ?? {};
  return error.replace(/^[A-Za-z]+(?=[.:[])/, (field) => typed[field] ?? field);
}
