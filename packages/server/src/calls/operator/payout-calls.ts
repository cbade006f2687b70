import { OPERATOR_LISTS, type OperatorPayout, PAYOUT_STATUSES } from "@propgate/contract";
import { dollars, microUsd } from "@propgate/core";
import { accountOfPayoutId } from "@propgate/ledger";
import { PAYOUT_ROWS } from "../../storage/lists/payouts-list.ts";
import { problemReply } from "../json/json-fields.ts";
import {
  type AuditDetails,
  type JsonCall,
  type JsonReply,
  notOfferedReply,
  okReply,
  type RefusedReply,
  refusedReply,
} from "../json/json-reply.ts";
import { PAID_BY_VALIDATOR } from "./linked/linked-deeds.ts";
import { readList } from "./lists/list-call.ts";
import type { OperatorCallOptions, OperatorHandler } from "./operator-reply.ts";
import { parsePayment } from "./operator-requests.ts";
import type { OperatorServices } from "./operator-services.ts";
import {
  type PaymentRecord,
  paymentRefusal,
  type RefusedPayment,
  recordPayment,
} from "./record-payment.ts";

/** Lists payouts, with the number and the amounts of all found payouts by status. */
export const listPayouts: OperatorHandler<"payouts.list"> = async (options, call) => {
  const answer = await readList(options, call, "payouts.list", PAYOUT_ROWS);
  if ("status" in answer) return answer;
  const sums = PAYOUT_STATUSES.map((status) => {
    const found = answer.sums.find(({ word }) => word === status);
    const [amount = 0, paidAmount = 0] = found?.amounts ?? [];
    return {
      status,
      count: found?.count ?? 0,
      amount: dollars(microUsd(amount)),
      paidAmount: dollars(microUsd(paidAmount)),
    };
  });
  return okReply({ ...answer, sums });
};

export const showPayout: OperatorHandler<"payouts.get"> = async ({ services }, { parameters }) =>
  payoutReply(await findPayout(services, parameters.id ?? ""));

/** Records the state of a payment, and answers the payout. */
export const recordPayout: OperatorHandler<"payouts.record"> = async (
  { services },
  { parameters, body, act },
) => {
  const record = parsePayment(body);
  if (!record.ok) return problemReply(record);
  const { id = "" } = parameters;
  const recorded = await recordPayment(services.payouts, { id, act }, record.value);
  if (recorded === "missing") return missingPayoutReply(services, id);
  const detail = detailOf(record.value);
  if ("refused" in recorded) {
    const accountId = accountOfPayoutId(id);
    const about = { subject: id, ...(accountId === null ? {} : { accountId }), detail };
    return { ...refusedRecord(recorded), about };
  }
  const { accountId, payout } = recorded;
  const about = { subject: payout.id, accountId, detail };
  return payoutReply(await findPayout(services, payout.id), about);
};

/** The refusal that the record of a payment would get at present; null when the payment would be recorded. */
export async function checkPayout(
  { services }: OperatorCallOptions,
  { parameters, body }: JsonCall,
): Promise<RefusedReply | null> {
  const record = parsePayment(body);
  if (!record.ok) return problemReply(record);
  const { id = "" } = parameters;
  const found = await services.payouts.find(id);
  if (found === null) return missingPayoutReply(services, id);
  const refusal = paymentRefusal(found.payout, record.value);
  return refusal === null ? null : refusedRecord(refusal);
}

function refusedRecord({ refused: text, field }: RefusedPayment): RefusedReply {
  return field === null ? refusedReply(text) : refusedReply(text, 400, field);
}

/** The payout as the list shows it; null when its id is unknown. */
async function findPayout(
  { lists }: Pick<OperatorServices, "lists">,
  id: string,
): Promise<OperatorPayout | null> {
  const account = accountOfPayoutId(id);
  if (account === null) return null;
  const list = OPERATOR_LISTS["payouts.list"];
  const { items } = await lists.page(list, PAYOUT_ROWS, {
    filters: [
      { field: "accountId", anyOf: [account] },
      { field: "id", anyOf: [id] },
    ],
    text: null,
    sort: { field: "id", isDescending: false },
    fields: list.fields.map(({ name }) => name),
    after: null,
    limit: 1,
  });
  return items[0] ?? null;
}

function payoutReply(
  payout: OperatorPayout | null,
  about?: AuditDetails,
): JsonReply<OperatorPayout> {
  return payout === null ? NO_PAYOUT : okReply(payout, about);
}

function detailOf({ status, rail, provider, reference, paidAmount }: PaymentRecord): string {
  const named = { rail, provider, reference };
  const given = Object.entries(named).flatMap(([name, text]) =>
    text === null ? [] : [`${name} ${text}`],
  );
  const paid = paidAmount === null ? [] : [`${dollars(paidAmount)} USD`];
  return [status, ...given, ...paid].join(", ");
}

/**
 * Refuses a payout that is not stored here. The account in the payout's id decides the refusal, because the payouts of
 * a validator's accounts are never stored here.
 */
async function missingPayoutReply(
  { accounts }: Pick<OperatorServices, "accounts">,
  payoutId: string,
): Promise<RefusedReply> {
  const accountId = accountOfPayoutId(payoutId);
  const network = accountId === null ? null : await accounts.networkOf(accountId);
  return network === "vanta" ? notOfferedReply(PAID_BY_VALIDATOR) : NO_PAYOUT;
}

const NO_PAYOUT: RefusedReply = refusedReply("Payout not found", 404);
