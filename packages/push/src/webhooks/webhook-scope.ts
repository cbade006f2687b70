import type { AccountId, OwnerId } from "@propgate/core";
import type { EndpointOwner, StoredEndpoint } from "../storage/endpoint-store.ts";

/** The webhooks that a desk manages: those of the operator, or those of an owner for one account. */
export type WebhookScope =
  | { readonly by: "operator" }
  | { readonly by: "owner"; readonly ownerId: OwnerId; readonly accountId: AccountId };

/** The owner of a scope; null for the operator's. */
export function ownerOf(scope: WebhookScope): EndpointOwner | null {
  return scope.by === "operator" ? null : scope;
}

/** True when a desk with this scope manages the endpoint. */
export function isInScope(scope: WebhookScope, endpoint: StoredEndpoint): boolean {
  if (scope.by === "operator") return endpoint.ownerId === null;
  return endpoint.ownerId === scope.ownerId && endpoint.accountId === scope.accountId;
}
