import type { Clock } from "@propgate/base";
import { OPERATOR_CALLS, type OperatorCallName, queryOf } from "@propgate/contract";
import type { AccountId, OwnerId } from "@propgate/core";
import type { JsonCall, JsonReply } from "../../json/json-reply.ts";
import type { OperatorServices, WebhookDesk } from "../../operator/operator-services.ts";
import {
  changeWebhook,
  deleteWebhook,
  listDeliveries,
  listLanes,
  listWebhooks,
  makeWebhook,
  replayWebhook,
  resumeWebhook,
  rotateWebhook,
  sendEvent,
  showWebhook,
  testWebhook,
  type WebhookHandle,
} from "../../operator/webhook-calls.ts";
import type { AccountCall } from "./account-call.ts";

export interface OwnerWebhookOptions {
  readonly lists: OperatorServices["lists"];
  readonly clock: Clock;
  /** The webhooks that an owner has made for one account. */
  readonly webhooksOf: (owner: OwnerId, account: AccountId) => WebhookDesk;
}

type WebhookCallName = Extract<OperatorCallName, `webhooks.${string}`>;

const HANDLERS: Readonly<
  Record<
    WebhookCallName,
    (options: Parameters<WebhookHandle<"webhooks.list">>[0], call: JsonCall) => Promise<JsonReply>
  >
> = {
  "webhooks.list": listWebhooks,
  "webhooks.create": makeWebhook,
  "webhooks.get": showWebhook,
  "webhooks.update": changeWebhook,
  "webhooks.delete": deleteWebhook,
  "webhooks.test": testWebhook,
  "webhooks.rotate": rotateWebhook,
  "webhooks.resume": resumeWebhook,
  "webhooks.replay": replayWebhook,
  "webhooks.lanes": listLanes,
  "webhooks.deliveries": listDeliveries,
  "webhooks.send": sendEvent,
};

/** The operator's calls on webhooks for an owner: `/webhooks/:id` is `/accounts/:id/webhooks/:webhookId` here. */
export function ownerWebhookCalls({
  webhooksOf,
  lists,
  clock,
}: OwnerWebhookOptions): readonly AccountCall[] {
  return entriesOf(HANDLERS).map(([name, handle]) => {
    const { method, path, needsConfirmation } = OPERATOR_CALLS[name];
    return {
      name,
      method,
      path: `/accounts/:id${path.replace(":id", ":webhookId")}`,
      query: queryOf(name),
      changes: method !== "GET",
      needsConfirmation,
      handle({ account, ...call }) {
        const webhooks = webhooksOf(account.ownerId, account.accountId);
        const { webhookId = "" } = call.parameters;
        const options = { services: { webhooks, lists }, clock };
        return handle(options, { ...call, parameters: { id: webhookId } });
      },
    };
  });
}

function entriesOf<Name extends string, Value>(
  record: Readonly<Record<Name, Value>>,
): readonly (readonly [Name, Value])[] {
  return Object.entries(record) as [Name, Value][];
}
