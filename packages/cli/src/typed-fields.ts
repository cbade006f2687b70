import type { OperatorCallName } from "@propgate/contract";

type Typed = Readonly<Record<string, string>>;

const PHASE = { phase: "--phase" };
const ACCOUNT = { accountId: "--account" };
const LANE = { ...ACCOUNT, ownerId: "--owner" };
const CHOICE = { reason: "--reason", version: "--seen" };

/**
 * The option or argument that a person types for each field of a call, so that an error names what the person sees.
 * Calls whose body is a document are missing: their errors name a path in its file.
 */
export const TYPED_FIELDS: Readonly<Partial<Record<OperatorCallName, Typed>>> = {
  "accounts.open": {
    size: "--size",
    programId: "--program",
    ownerId: "--owner",
    externalId: "--external-id",
    override: "--override",
    assetClass: "--asset-class",
    drawdownCriteria: "--criteria",
    dailyLossPct: "--daily-loss",
    tier: "--tier",
    provisioned: "--no-provisioned",
  },
  "accounts.link": {
    subaccount: "--subaccount",
    ownerId: "--owner",
    profitSplitPercent: "--split",
  },
  "accounts.update": { externalId: "--external-id" },
  "accounts.close": { ...PHASE, forfeit: "--forfeit" },
  "accounts.eliminate": { ...PHASE, reason: "--reason" },
  "accounts.promote": PHASE,
  "accounts.offerPro": { ...PHASE, proAccountSize: "--size", program: "--program" },
  "keys.create": {
    ...ACCOUNT,
    scopes: "--scope",
    label: "--label",
    addresses: "--address",
    expiresAtMs: "--expires",
  },
  "keys.list": ACCOUNT,
  "people.add": { name: "<name>", role: "--role", ownerId: "--owner", externalId: "--external-id" },
  "people.update": { externalId: "--external-id" },
  "people.disable": { pauseKeys: "--pause-keys" },
  "people.enable": { resumeKeys: "--resume-keys" },
  "tokens.add": { name: "<name>", expiresInHours: "--expires", succeeds: "--succeeds" },
  "owners.update": { accountsMax: "--accounts-max" },
  "payouts.record": {
    status: "--status",
    rail: "--rail",
    provider: "--provider",
    reference: "--reference",
    paidAmount: "--paid-amount",
  },
  "corporateActions.announce": {
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
  "prices.effect": { source: "<source>" },
  "prices.use": { ...CHOICE, source: "<source>", far: "--far" },
  "prices.auto": CHOICE,
  "prices.halt": CHOICE,
  "events.list": {
    ...ACCOUNT,
    after: "--after",
    limit: "--limit",
    types: "--types",
    programId: "--program",
    wait: "--wait",
  },
  backup: { database: "--database" },
  "webhooks.create": {
    ...ACCOUNT,
    programId: "--program",
    url: "<address>",
    label: "--label",
    types: "--types",
    payload: "--payload",
    signatures: "--signatures",
    from: "--from",
    enabled: "--enabled",
  },
  "webhooks.list": { url: "--address" },
  "webhooks.update": {
    url: "--address",
    label: "--label",
    types: "--types",
    payload: "--payload",
    signatures: "--signatures",
    enabled: "--enabled",
  },
  "webhooks.rotate": { overlapMs: "--overlap-hours" },
  "webhooks.resume": LANE,
  "webhooks.replay": { ...LANE, fromSequence: "--from-sequence", fromMs: "--from-time" },
  "webhooks.send": { eventId: "<event>" },
  "audit.verify": { head: "--head" },
};
