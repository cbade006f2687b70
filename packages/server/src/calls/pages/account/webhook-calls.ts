import type { Clock } from "@propgate/base";
import { OPERATOR_CALLS, queryParametersOf } from "@propgate/contract";
import type { AccountId, OwnerId } from "@propgate/core";
import type { OperatorServices, WebhookDesk } from "../../operator/operator-services.ts";
import { WEBHOOK_HANDLERS } from "../../operator/webhook-calls.ts";
import type { AccountCall } from "./account-call.ts";

export interface OwnerWebhookOptions {
  readonly lists: OperatorServices["lists"];
  readonly clock: Clock;
  /** The webhooks that an owner has made for one account. */
  readonly webhooksOf: (owner: OwnerId, account: AccountId) => WebhookDesk;
}

const NAMES = Object.keys(OPERATOR_CALLS).filter(isWebhookCall);

function isWebhookCall(name: string): name is keyof typeof WEBHOOK_HANDLERS {
  return name in WEBHOOK_HANDLERS;
}

/**
 * The operator's calls on webhooks, for an owner. The operator's path `/webhooks/:id` becomes
 * `/accounts/:id/webhooks/:webhookId`.
 */
export function ownerWebhookCalls({
  webhooksOf,
  lists,
  clock,
}: OwnerWebhookOptions): readonly AccountCall[] {
  return NAMES.map((name) => {
    const { method, path, needsConfirmation } = OPERATOR_CALLS[name];
    return {
      name,
      method,
      path: `/accounts/:id${path.replace(":id", ":webhookId")}`,
      query: queryParametersOf(name),
      changes: method !== "GET",
      needsConfirmation,
      handle({ account, ...call }) {
        const webhooks = webhooksOf(account.ownerId, account.accountId);
        const { webhookId = "" } = call.parameters;
        const options = { services: { webhooks, lists }, clock };
        return WEBHOOK_HANDLERS[name](options, { ...call, parameters: { id: webhookId } });
      },
    };
  });
}
