/*
 * The body and the answer of every call of the operator's interface, by the call's name. The service's
 * handlers, the console and the command line take their types from here. The bundle of the pages contains none
 * of it, because pages need only the types.
 */
import { list, type Schema, type Wire } from "../schema.ts";
import {
  ACCOUNT_ID,
  CLOSE_ACCOUNT,
  CLOSED_ACCOUNT,
  ELIMINATE_ACCOUNT,
  LINK_ACCOUNT,
  OFFER_PRO,
  OPEN_ACCOUNT,
  OPENED_ACCOUNT,
  OPERATOR_ACCOUNT,
  PROMOTE_ACCOUNT,
} from "./accounts.ts";
import { AUDIT_PAGE, AUDIT_PROOF, VERIFY_AUDIT } from "./audit.ts";
import { BACK_UP } from "./backup.ts";
import type { OperatorCallName } from "./calls.ts";
import {
  ANNOUNCE_ACTION,
  OPERATOR_ACTION,
  OPERATOR_FUNDING,
  SET_FUNDING,
} from "./corporate-actions.ts";
import { OPERATOR_EVENTS } from "./events.ts";
import { SERVICE_HEALTH } from "./health.ts";
import { OPERATOR_INSTRUMENT } from "./instruments.ts";
import { JOURNAL_PROOF, JOURNAL_REBUILD, REBUILD_JOURNAL, VERIFY_JOURNAL } from "./journal.ts";
import { CREATE_KEY, CREATED_KEY, OPERATOR_KEY, REKEYING, REVOKED_KEY } from "./keys.ts";
import { items, NO_FIELDS, page } from "./page.ts";
import { OPERATOR_PAYOUT, RECORD_PAYMENT } from "./payouts.ts";
import {
  ADD_PERSON,
  CHANGED_PERSON,
  DISABLE_PERSON,
  ENABLE_PERSON,
  OPERATOR_PERSON,
  PERSON_KEYS,
  PERSON_LINK,
} from "./people.ts";
import {
  CHOOSE_AUTO,
  HALT_PRICES,
  OPERATOR_PRICES,
  PRICE_CHOICE,
  PRICE_EFFECT,
  SOURCE_CHOICE,
  USE_SOURCE,
} from "./prices.ts";
import {
  CATALOGUE_DOCUMENT,
  CHECKED_CATALOGUE,
  OPERATOR_PROGRAM,
  PROGRAM_DOCUMENT,
  PROGRAM_VERSION,
  PROGRAM_VERSIONS,
} from "./programs.ts";
import { CONFIRMED_RESTORE } from "./restore.ts";
import { FOUND } from "./search.ts";
import { ADD_TOKEN, ADDED_TOKEN, OPERATOR_TOKEN_LINE, TOKEN_NAME } from "./tokens.ts";
import {
  CHANGE_WEBHOOK,
  LANE_CHOICE,
  MADE_WEBHOOK,
  NEW_WEBHOOK,
  REPLAY_WEBHOOK,
  ROTATE_WEBHOOK,
  SEND_EVENT,
  WEBHOOK,
  WEBHOOK_ATTEMPT,
  WEBHOOK_DELIVERY,
  WEBHOOK_ID,
  WEBHOOK_LANE,
} from "./webhooks.ts";

/** The body of each POST and PATCH. Unknown fields are errors. */
export const OPERATOR_BODIES = {
  "account.open": OPEN_ACCOUNT,
  "account.link": LINK_ACCOUNT,
  "account.provision": NO_FIELDS,
  "account.close": CLOSE_ACCOUNT,
  "account.eliminate": ELIMINATE_ACCOUNT,
  "account.promote": PROMOTE_ACCOUNT,
  "account.offerPro": OFFER_PRO,
  "key.create": CREATE_KEY,
  "key.rekey": NO_FIELDS,
  "person.add": ADD_PERSON,
  "person.link": NO_FIELDS,
  "person.disable": DISABLE_PERSON,
  "person.enable": ENABLE_PERSON,
  "token.add": ADD_TOKEN,
  "payout.record": RECORD_PAYMENT,
  "action.announce": ANNOUNCE_ACTION,
  "funding.set": SET_FUNDING,
  "program.add": PROGRAM_DOCUMENT,
  "program.check": PROGRAM_DOCUMENT,
  "catalogue.check": CATALOGUE_DOCUMENT,
  "journal.verify": VERIFY_JOURNAL,
  "journal.rebuild": REBUILD_JOURNAL,
  "price.use": USE_SOURCE,
  "price.auto": CHOOSE_AUTO,
  "price.halt": HALT_PRICES,
  backup: BACK_UP,
  "restore.confirm": NO_FIELDS,
  "webhook.make": NEW_WEBHOOK,
  "webhook.change": CHANGE_WEBHOOK,
  "webhook.test": NO_FIELDS,
  "webhook.rotate": ROTATE_WEBHOOK,
  "webhook.resume": LANE_CHOICE,
  "webhook.replay": REPLAY_WEBHOOK,
  "webhook.send": SEND_EVENT,
  "audit.verify": VERIFY_AUDIT,
} satisfies Readonly<Partial<Record<OperatorCallName, Schema<unknown>>>>;

const ANSWERS = {
  "account.open": OPENED_ACCOUNT,
  "account.list": page(OPERATOR_ACCOUNT),
  "account.link": OPENED_ACCOUNT,
  "account.provision": ACCOUNT_ID,
  "account.close": CLOSED_ACCOUNT,
  "account.eliminate": ACCOUNT_ID,
  "account.promote": ACCOUNT_ID,
  "account.offerPro": ACCOUNT_ID,
  "key.create": CREATED_KEY,
  "key.rekey": REKEYING,
  "key.list": list(OPERATOR_KEY, "The keys."),
  "key.revoke": REVOKED_KEY,
  "person.list": list(OPERATOR_PERSON, "Everyone, by name."),
  "person.add": OPERATOR_PERSON,
  "person.link": PERSON_LINK,
  "person.keys": PERSON_KEYS,
  "person.disable": CHANGED_PERSON,
  "person.enable": CHANGED_PERSON,
  "token.list": list(OPERATOR_TOKEN_LINE, "The tokens, by name."),
  "token.add": ADDED_TOKEN,
  "token.revoke": TOKEN_NAME,
  "payout.list": page(OPERATOR_PAYOUT),
  "payout.show": OPERATOR_PAYOUT,
  "payout.record": OPERATOR_PAYOUT,
  "funding.list": items(OPERATOR_FUNDING),
  "funding.set": OPERATOR_FUNDING,
  "funding.withdraw": OPERATOR_FUNDING,
  "action.list": items(OPERATOR_ACTION),
  "action.announce": OPERATOR_ACTION,
  "action.cancel": OPERATOR_ACTION,
  "program.list": items(OPERATOR_PROGRAM),
  "program.show": PROGRAM_VERSIONS,
  "program.add": PROGRAM_VERSION,
  "program.check": PROGRAM_VERSION,
  "catalogue.check": CHECKED_CATALOGUE,
  "journal.verify": JOURNAL_PROOF,
  "journal.rebuild": JOURNAL_REBUILD,
  "event.list": OPERATOR_EVENTS,
  "restore.confirm": CONFIRMED_RESTORE,
  "webhook.list": items(WEBHOOK),
  "webhook.make": MADE_WEBHOOK,
  "webhook.show": WEBHOOK,
  "webhook.change": WEBHOOK,
  "webhook.delete": WEBHOOK_ID,
  "webhook.test": WEBHOOK_ATTEMPT,
  "webhook.rotate": MADE_WEBHOOK,
  "webhook.resume": WEBHOOK,
  "webhook.replay": WEBHOOK,
  "webhook.lanes": page(WEBHOOK_LANE),
  "webhook.deliveries": page(WEBHOOK_DELIVERY),
  "webhook.send": WEBHOOK_ATTEMPT,
  health: SERVICE_HEALTH,
  "instrument.list": items(OPERATOR_INSTRUMENT),
  "price.list": OPERATOR_PRICES,
  "price.effect": PRICE_EFFECT,
  "price.use": SOURCE_CHOICE,
  "price.auto": PRICE_CHOICE,
  "price.halt": PRICE_CHOICE,
  search: FOUND,
  "audit.list": AUDIT_PAGE,
  "audit.verify": AUDIT_PROOF,
} satisfies Readonly<Record<Exclude<OperatorCallName, FileCall>, Schema<unknown>>>;

/** Calls that answer a file. */
export type FileCall = "backup" | "journal.export";

export type OperatorBodies = {
  readonly [Name in keyof typeof OPERATOR_BODIES]: Wire<(typeof OPERATOR_BODIES)[Name]>;
};

/** A `DELETE` and a `GET` have no body. */
export type OperatorBody<Name extends OperatorCallName> = Name extends keyof OperatorBodies
  ? OperatorBodies[Name]
  : undefined;

/** Calls that answer JSON. */
export type AnsweringCall = keyof typeof ANSWERS;

type Answers = { readonly [Name in AnsweringCall]: Wire<(typeof ANSWERS)[Name]> };

/** `data` of a call's answer. */
export type OperatorAnswer<Name extends AnsweringCall> = Answers[Name];

/** The `data` of each answer. */
export const OPERATOR_ANSWERS: {
  readonly [Name in AnsweringCall]: Schema<OperatorAnswer<Name>, unknown>;
} = ANSWERS;
