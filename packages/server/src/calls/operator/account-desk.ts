import type { Chance, RepeatableCall } from "@propgate/base";
import type { OperatorPhase } from "@propgate/contract";
import { type AccountId, ownerId, type Refusal, type SeenPhase, type Terms } from "@propgate/core";
import type {
  AccountOperations,
  ChangeResult,
  ClosingResult,
  ExternalId,
  OwnerAccounts,
  OwnerLimits,
  StateCache,
} from "@propgate/ledger";
import { type ProgramDesk, type Programs, proTermsFor, termsFor } from "@propgate/market";
import type { SubaccountLinks } from "@propgate/vanta";
import { type NetworkReadings, phasesOfWord } from "@propgate/wire";
import { describeRefusal } from "./describe-refusal.ts";
import { carryOutLinkedDeed } from "./linked/linked-deeds.ts";
import type {
  AccountDeed,
  AccountDesk,
  DeedResult,
  NewAccount,
  OpeningRefused,
} from "./operator-services.ts";

interface AccountDeskOptions {
  readonly accounts: AccountOperations;
  readonly states: Pick<StateCache, "read">;
  readonly readings: NetworkReadings;
  readonly programs: Pick<ProgramDesk, "list">;
  readonly chance: Chance;
  readonly limits: OwnerLimits;
  /** The desk that links subaccounts of the validator; null when the service has no validator. */
  readonly links: SubaccountLinks | null;
}

/** Creates the desk that opens accounts with the terms of a program, and changes accounts through their journals. */
export function createAccountDesk(options: AccountDeskOptions): AccountDesk {
  const { accounts, readings } = options;
  return {
    async open(account, act = null) {
      const programs = await programsOf(options);
      const terms = termsFor(programs, account);
      if (!terms.ok) return { refused: terms.refusal.text, field: terms.refusal.field };
      const wanted = { account, terms: terms.value, act };
      const isLimited = (await limitOf(options, wanted)).max !== null;
      if (!isLimited) return openAccountNow(options, wanted);
      return options.limits.runExclusively(async () => {
        const full = await fullRefusal(options, wanted);
        if (full === null) return openAccountNow(options, wanted);
        return (await takenRefusal(options, account)) ?? full;
      });
    },
    async check(account, earlier) {
      const terms = termsFor(await programsOf(options), account);
      if (!terms.ok) return { refused: terms.refusal.text, field: terms.refusal.field };
      const wanted = { account, terms: terms.value, act: null };
      return (await takenRefusal(options, account)) ?? fullRefusal(options, wanted, earlier);
    },
    async setExternalId(accountId, externalId) {
      const entry = await accounts.find(accountId);
      return entry === null ? "missing" : accounts.claimExternalId(externalId, accountId);
    },
    hasOwner: async (owner) =>
      (await accounts.list({ ownerId: owner, after: null, limit: 1 })).length > 0,
    networkOf: async (accountId) => (await accounts.find(accountId))?.network ?? null,
    noDecisionsReason: (network) => readings[network].noDecisionsReason,
    async carryOut(accountId, deed, act = null) {
      const entry = await accounts.find(accountId);
      if (entry?.network === "vanta") {
        const { item } = await readings.vanta.accountRow({ ...entry, ...UNREAD });
        return carryOutLinkedDeed(options.links, { accountId, phase: item.phase }, deed, act);
      }
      return deed.deed === "offerPro"
        ? offerPro(options, { accountId, act }, deed)
        : carryOutDeed(accounts, { accountId, act }, deed);
    },
  };
}

interface Wanted {
  readonly account: NewAccount;
  readonly terms: Terms;
  readonly act: RepeatableCall | null;
}

async function openAccountNow(
  { accounts, chance }: AccountDeskOptions,
  { account, terms, act }: Wanted,
): Promise<AccountId | OpeningRefused> {
  const opened = {
    ownerId: account.ownerId ?? ownerId((act?.chance("owner") ?? chance).uuid()),
    terms,
    provisioned: account.provisioned,
  };
  const { accountId: id, externalId } = account;
  if (id !== undefined) return (await accounts.openWithId(id, opened, act)) ? id : EXISTS;
  if (externalId === null) return accounts.open(opened, act);
  const end = await accounts.openWithExternalId(externalId, opened, act);
  return "opened" in end ? end.opened : externalIdTaken(externalId, end.taken);
}

/**
 * The number of the owner's open accounts (`active`), and their maximum number (`max`), which is null when there is
 * none. For a new owner, and for an opening that may exceed the maximum, the accounts are not counted: `active` is 0
 * and `max` is null.
 */
async function limitOf(
  { limits }: AccountDeskOptions,
  { account, terms }: Wanted,
): Promise<OwnerAccounts> {
  if (account.ownerId === null || !account.obeysMax) return { active: 0, max: null };
  const program = { id: terms.programId, version: terms.programVersion };
  return limits.of(account.ownerId, program);
}

/**
 * The refusal of an account beyond the maximum of its owner. Null when the owner has no maximum or has not reached it.
 * Also null when this is a repeated write whose first attempt has opened the account.
 */
async function fullRefusal(
  options: AccountDeskOptions,
  wanted: Wanted,
  earlier = 0,
): Promise<OpeningRefused | null> {
  const { account, act } = wanted;
  const { active: open, max } = await limitOf(options, wanted);
  const active = open + earlier;
  if (account.ownerId === null || max === null || active < max) return null;
  if (act?.isRepeat === true && (await options.accounts.wasOpened(account.ownerId, act)))
    return null;
  const refused = `has ${active} open accounts, and the maximum is ${max}; send override to open another`;
  return { refused, field: "ownerId", full: { ownerId: account.ownerId, max, active } };
}

/**
 * The refusal of an external id that another account has; null when it is free. The refusal names that account. A shop
 * that sends the same sale again thereby finds the account that its first request opened.
 */
async function takenRefusal(
  { accounts }: AccountDeskOptions,
  { externalId }: NewAccount,
): Promise<OpeningRefused | null> {
  const holder = externalId === null ? null : await accounts.findByExternalId(externalId);
  return externalId === null || holder === null ? null : externalIdTaken(externalId, holder);
}

function externalIdTaken(externalId: ExternalId, holder: AccountId): OpeningRefused {
  const refused = `${JSON.stringify(externalId)} belongs to the account ${holder}`;
  return { refused, field: "externalId", holder };
}

/**
 * Placeholders for the columns of an account that this desk does not read, because no change by an operator depends on
 * them.
 */
const UNREAD = {
  endedAtMs: null,
  lastOrderAtMs: null,
  lastActivityAtMs: null,
  readAtMs: null,
  isFailing: false,
} as const;

const EXISTS: OpeningRefused = { refused: "the account exists already", field: "accountId" };

interface Asked {
  readonly accountId: AccountId;
  readonly act: RepeatableCall | null;
}

async function carryOutDeed(
  accounts: AccountOperations,
  { accountId: id, act }: Asked,
  deed: Exclude<AccountDeed, { readonly deed: "offerPro" }>,
): Promise<DeedResult> {
  switch (deed.deed) {
    case "provision":
      return resultOf(await accounts.provision(id, { act }));
    case "close":
      return closedOf(
        await accounts.close(id, {
          ...seenPhase(deed),
          act,
          ...(deed.forfeit ? { forfeit: true } : {}),
        }),
      );
    case "promote":
      return resultOf(await accounts.promote(id, { ...seenPhase(deed), act }));
    case "eliminate":
      return resultOf(await accounts.eliminate(id, deed.reason, { ...seenPhase(deed), act }));
  }
}

/**
 * The phases of the account in which the change may be carried out; every phase when the operator named none.
 * @rule D13.phaseSeen
 */
function seenPhase({ phase }: { readonly phase: OperatorPhase | null }): SeenPhase {
  return phase === null ? {} : { seenIn: phasesOfWord(phase) };
}

/** Offers a pro account. The terms that were sold never change, so they may be read before the command runs. */
async function offerPro(
  options: AccountDeskOptions,
  { accountId: id, act }: Asked,
  offer: Extract<AccountDeed, { readonly deed: "offerPro" }>,
): Promise<DeedResult> {
  const { proAccountSize, program } = offer;
  const entry = await options.accounts.find(id);
  const account = entry === null ? null : await options.states.read(entry);
  if (account === null) return "missing";
  const { standardSize, terms: sold } = account.state;
  const terms = proTermsFor(await programsOf(options), {
    program,
    standardSize,
    size: proAccountSize,
    dailyLossPct: sold.challenge.dailyLossPct,
  });
  if (!terms.ok) {
    const field = terms.refusal.field === "size" ? "proAccountSize" : "program";
    return { refused: `${field}: ${terms.refusal.text}`, field };
  }
  return resultOf(await options.accounts.offerPro(id, terms.value, { ...seenPhase(offer), act }));
}

async function programsOf({ programs }: AccountDeskOptions): Promise<Programs> {
  return (await programs.list()).map(({ program }) => program);
}

function resultOf(change: ChangeResult): DeedResult {
  if (change === null) return "missing";
  return change.ok ? "done" : refusedOf(change.refusal);
}

function closedOf(closing: ClosingResult): DeedResult {
  if (closing === null) return "missing";
  return closing.ok ? { closed: closing.value } : refusedOf(closing.refusal);
}

function refusedOf(refusal: Refusal): DeedResult {
  return {
    refused: describeRefusal(refusal),
    field: null,
    ...(refusal.code === "phaseChanged" ? { code: "phase_changed" } : {}),
  };
}
