import { payoutAccount } from "@propgate/ledger";
import { fine, notOffered, type RefusedReply, refused } from "../json/json-reply.ts";
import { PAID_BY_VALIDATOR } from "./linked/linked-deeds.ts";
import { type Handle, wrong } from "./operator-reply.ts";
import { parsePayment, parseUnpaidPage } from "./operator-requests.ts";
import type { OperatorServices } from "./operator-services.ts";
import { payoutView } from "./operator-views.ts";
import { type PaymentRecord, recordPayment } from "./record-payment.ts";

/** Lists unpaid payouts of all accounts, oldest first. */
export const listPayouts: Handle<"payouts.list"> = async ({ services }, { query }) => {
  const page = parseUnpaidPage(query);
  if (!page.ok) return wrong(page);
  const { items, next } = await services.payouts.list(page.value);
  return fine({ items: items.map(payoutView), next: next?.id ?? null, total: null });
};

export const showPayout: Handle<"payouts.get"> = async ({ services }, { parameters }) => {
  const payout = await services.payouts.find(parameters.id ?? "");
  return payout === null ? NO_PAYOUT : fine(payoutView(payout));
};

export const recordPayout: Handle<"payouts.record"> = async (
  { services },
  { parameters, body },
) => {
  const record = parsePayment(body);
  if (!record.ok) return wrong(record);
  const recorded = await recordPayment(services.payouts, parameters.id ?? "", record.value);
  if (recorded === "missing") return missing(services, parameters.id ?? "");
  const detail = detailOf(record.value);
  if ("refused" in recorded) {
    return { ...refused(recorded.refused), about: { subject: parameters.id ?? "", detail } };
  }
  const { accountId, payout } = recorded;
  return fine(payoutView(recorded), { subject: payout.id, accountId, detail });
};

function detailOf({ status, rail, provider, reference }: PaymentRecord): string {
  const named = { rail, provider, reference };
  const given = Object.entries(named).flatMap(([name, text]) =>
    text === null ? [] : [`${name} ${text}`],
  );
  return [status, ...given].join(", ");
}

/** A validator's payouts are not stored here, so the account in the id tells why there is none. */
async function missing(
  { accounts }: Pick<OperatorServices, "accounts">,
  payoutId: string,
): Promise<RefusedReply> {
  const accountId = payoutAccount(payoutId);
  const network = accountId === null ? null : await accounts.networkOf(accountId);
  return network === "vanta" ? notOffered(PAID_BY_VALIDATOR) : NO_PAYOUT;
}

const NO_PAYOUT: RefusedReply = refused("Payout not found", 404);
