/* The body and the answer of every call of the operator's interface, by the call's name. The service's handlers, the
   console and the command line take their types from this file. The bundle of the pages contains none of it, because
   pages need only the types. */
import { EVENTS_PAGE } from "../resources/events/events.ts";
import { FILLS, ORDER_HISTORY, ORDER_LIFE } from "../resources/order-history.ts";
import { PAYOUTS } from "../resources/payout.ts";
import { PENDING_ORDER } from "../resources/pending-order.ts";
import { POSITION } from "../resources/position.ts";
import { TRADE } from "../resources/trade.ts";
import { list, type Schema, type Wire } from "../schema.ts";
import { ACCOUNT_DETAIL } from "./account-detail.ts";
import { ACCOUNT_EQUITY } from "./account-reads.ts";
import {
  ACCOUNTS_PAGE,
  CHANGED_ACCOUNT,
  CLOSE_ACCOUNT,
  CLOSED_ACCOUNT,
  ELIMINATE_ACCOUNT,
  LINK_ACCOUNT,
  LINKED_ACCOUNT,
  OFFER_PRO,
  OPEN_ACCOUNT,
  OPENED_ACCOUNT,
  OPERATOR_ACCOUNT,
  PROMOTE_ACCOUNT,
} from "./accounts.ts";
import { ALERT } from "./alerts.ts";
import { AUDIT_LINE, AUDIT_PROOF, VERIFY_AUDIT } from "./audit.ts";
import { BACK_UP } from "./backup.ts";
import type { OperatorCallName } from "./calls.ts";
import {
  ANNOUNCE_ACTION,
  OPERATOR_ACTION,
  OPERATOR_FUNDING,
  SET_FUNDING,
} from "./corporate-actions.ts";
import { OPERATOR_EVENTS } from "./events.ts";
import { EXPOSURE_ANSWER, STRESS_ANSWER } from "./exposure.ts";
import { SET_EXTERNAL_ID } from "./external-ids.ts";
import type { FileCall } from "./files.ts";
import { SERVICE_HEALTH } from "./health.ts";
import { OPERATOR_INSTRUMENT } from "./instruments.ts";
import { JOURNAL_PROOF, JOURNAL_REBUILD, REBUILD_JOURNAL, VERIFY_JOURNAL } from "./journal.ts";
import { CREATE_KEY, CREATED_KEY, OPERATOR_KEY, REKEY_RESULT, REVOKED_KEY } from "./keys.ts";
import { UPDATE_OWNER, UPDATED_OWNER } from "./owners.ts";
import { NO_FIELDS, operatorPageSchema } from "./page.ts";
import { OPERATOR_PAYOUT, PAYOUTS_PAGE, RECORD_PAYMENT } from "./payouts.ts";
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
  OPERATOR_PRICE,
  PRICE_CHOICE,
  PRICE_EFFECT,
  PRICE_LINE,
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
import { UNANSWERED_ORDER } from "./unanswered-orders.ts";
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

/** The body of each POST and PATCH call. Unknown fields are errors. */
export const OPERATOR_BODIES = {
  "accounts.open": OPEN_ACCOUNT,
  "accounts.link": LINK_ACCOUNT,
  "accounts.update": SET_EXTERNAL_ID,
  "accounts.provision": NO_FIELDS,
  "accounts.close": CLOSE_ACCOUNT,
  "accounts.eliminate": ELIMINATE_ACCOUNT,
  "accounts.promote": PROMOTE_ACCOUNT,
  "accounts.offerPro": OFFER_PRO,
  "keys.create": CREATE_KEY,
  "keys.rekey": NO_FIELDS,
  "people.add": ADD_PERSON,
  "people.update": SET_EXTERNAL_ID,
  "people.link": NO_FIELDS,
  "people.disable": DISABLE_PERSON,
  "people.enable": ENABLE_PERSON,
  "tokens.add": ADD_TOKEN,
  "owners.update": UPDATE_OWNER,
  "payouts.record": RECORD_PAYMENT,
  "corporateActions.announce": ANNOUNCE_ACTION,
  "funding.set": SET_FUNDING,
  "programs.add": PROGRAM_DOCUMENT,
  "programs.validate": PROGRAM_DOCUMENT,
  "catalogue.validate": CATALOGUE_DOCUMENT,
  "journal.verify": VERIFY_JOURNAL,
  "journal.rebuild": REBUILD_JOURNAL,
  "prices.use": USE_SOURCE,
  "prices.auto": CHOOSE_AUTO,
  "prices.halt": HALT_PRICES,
  backup: BACK_UP,
  "restore.confirm": NO_FIELDS,
  "webhooks.create": NEW_WEBHOOK,
  "webhooks.update": CHANGE_WEBHOOK,
  "webhooks.test": NO_FIELDS,
  "webhooks.rotate": ROTATE_WEBHOOK,
  "webhooks.resume": LANE_CHOICE,
  "webhooks.replay": REPLAY_WEBHOOK,
  "webhooks.send": SEND_EVENT,
  "audit.verify": VERIFY_AUDIT,
} satisfies Readonly<Partial<Record<OperatorCallName, Schema<unknown>>>>;

const ANSWERS = {
  "accounts.open": OPENED_ACCOUNT,
  "accounts.list": ACCOUNTS_PAGE,
  "accounts.link": LINKED_ACCOUNT,
  "accounts.update": OPERATOR_ACCOUNT,
  "accounts.provision": CHANGED_ACCOUNT,
  "accounts.close": CLOSED_ACCOUNT,
  "accounts.eliminate": CHANGED_ACCOUNT,
  "accounts.promote": CHANGED_ACCOUNT,
  "accounts.offerPro": CHANGED_ACCOUNT,
  "accounts.get": ACCOUNT_DETAIL,
  "accounts.positions": list(
    POSITION,
    "The open positions, in the order in which they were opened.",
  ),
  "accounts.orders": list(PENDING_ORDER, "The pending orders and legs."),
  "accounts.orderHistory": ORDER_HISTORY,
  "accounts.order": ORDER_LIFE,
  "accounts.trades": list(TRADE, "The closed trades, newest first."),
  "accounts.fills": FILLS,
  "accounts.payouts": PAYOUTS,
  "accounts.events": EVENTS_PAGE,
  "accounts.equity": operatorPageSchema(ACCOUNT_EQUITY),
  exposure: EXPOSURE_ANSWER,
  stress: STRESS_ANSWER,
  "keys.create": CREATED_KEY,
  "keys.rekey": REKEY_RESULT,
  "keys.list": operatorPageSchema(OPERATOR_KEY),
  "keys.revoke": REVOKED_KEY,
  "people.list": operatorPageSchema(OPERATOR_PERSON),
  "owners.update": UPDATED_OWNER,
  "people.add": OPERATOR_PERSON,
  "people.update": OPERATOR_PERSON,
  "people.link": PERSON_LINK,
  "people.keys": PERSON_KEYS,
  "people.disable": CHANGED_PERSON,
  "people.enable": CHANGED_PERSON,
  "tokens.list": operatorPageSchema(OPERATOR_TOKEN_LINE),
  "tokens.add": ADDED_TOKEN,
  "tokens.revoke": TOKEN_NAME,
  "unansweredOrders.list": operatorPageSchema(UNANSWERED_ORDER),
  "payouts.list": PAYOUTS_PAGE,
  "payouts.get": OPERATOR_PAYOUT,
  "payouts.record": OPERATOR_PAYOUT,
  "funding.list": operatorPageSchema(OPERATOR_FUNDING),
  "funding.set": OPERATOR_FUNDING,
  "funding.withdraw": OPERATOR_FUNDING,
  "corporateActions.list": operatorPageSchema(OPERATOR_ACTION),
  "corporateActions.announce": OPERATOR_ACTION,
  "corporateActions.cancel": OPERATOR_ACTION,
  "programs.list": operatorPageSchema(OPERATOR_PROGRAM),
  "programs.get": PROGRAM_VERSIONS,
  "programs.add": PROGRAM_VERSION,
  "programs.validate": PROGRAM_VERSION,
  "catalogue.validate": CHECKED_CATALOGUE,
  "journal.verify": JOURNAL_PROOF,
  "journal.rebuild": JOURNAL_REBUILD,
  "events.list": OPERATOR_EVENTS,
  "alerts.list": operatorPageSchema(ALERT),
  "restore.confirm": CONFIRMED_RESTORE,
  "webhooks.list": operatorPageSchema(WEBHOOK),
  "webhooks.create": MADE_WEBHOOK,
  "webhooks.get": WEBHOOK,
  "webhooks.update": WEBHOOK,
  "webhooks.delete": WEBHOOK_ID,
  "webhooks.test": WEBHOOK_ATTEMPT,
  "webhooks.rotate": MADE_WEBHOOK,
  "webhooks.resume": WEBHOOK,
  "webhooks.replay": WEBHOOK,
  "webhooks.lanes": operatorPageSchema(WEBHOOK_LANE),
  "webhooks.deliveries": operatorPageSchema(WEBHOOK_DELIVERY),
  "webhooks.send": WEBHOOK_ATTEMPT,
  health: SERVICE_HEALTH,
  "instruments.list": operatorPageSchema(OPERATOR_INSTRUMENT),
  "prices.list": operatorPageSchema(PRICE_LINE),
  "prices.get": OPERATOR_PRICE,
  "prices.effect": PRICE_EFFECT,
  "prices.use": SOURCE_CHOICE,
  "prices.auto": PRICE_CHOICE,
  "prices.halt": PRICE_CHOICE,
  search: FOUND,
  "audit.list": operatorPageSchema(AUDIT_LINE),
  "audit.verify": AUDIT_PROOF,
} satisfies Readonly<Record<Exclude<OperatorCallName, FileCall>, Schema<unknown>>>;

/** The type of the body of each call that has one. */
export type OperatorBodies = {
  readonly [Name in keyof typeof OPERATOR_BODIES]: Wire<(typeof OPERATOR_BODIES)[Name]>;
};

/** The type of a call's body; undefined for a `GET` and a `DELETE`, which have none. */
export type OperatorBody<Name extends OperatorCallName> = Name extends keyof OperatorBodies
  ? OperatorBodies[Name]
  : undefined;

/** The names of calls that answer JSON. */
export type AnsweringCall = keyof typeof ANSWERS;

type Answers = { readonly [Name in AnsweringCall]: Wire<(typeof ANSWERS)[Name]> };

/** The type of `data` in a call's answer. */
export type OperatorAnswer<Name extends AnsweringCall> = Answers[Name];

/** The schema of `data` in the answer of each call that answers JSON. */
export const OPERATOR_ANSWERS: {
  readonly [Name in AnsweringCall]: Schema<OperatorAnswer<Name>, unknown>;
} = ANSWERS;
