import { type RekeyResult, rekey, resealEach, type SecretBox } from "@propgate/access";
import type { EndpointStore, SealedEndpoint, StoredEndpoint } from "../storage/endpoint-store.ts";
import { sealNames } from "./sealed-endpoint.ts";

/** Seals the address and the secrets of every endpoint under the newest master key. @rule D8.rekey */
export function rekeyWebhooks(
  endpoints: Pick<EndpointStore, "page" | "reseal">,
  box: SecretBox,
): Promise<RekeyResult> {
  return rekey({
    page: (after: string | null, limit) => endpoints.page(after, limit),
    cursorOf: ({ id }) => id,
    reseal: (page) =>
      resealEach(page, {
        nameOf: ({ id }) => id,
        sealedAnew: (endpoint) => resealEndpoint(endpoint, box),
        write: (endpoint, sealed) => endpoints.reseal(endpoint, sealed),
      }),
  });
}

function resealEndpoint(
  { id, sealed: { address, secret, older } }: StoredEndpoint,
  box: SecretBox,
): SealedEndpoint | "current" | "unreadable" {
  const olderSecrets = older === null ? [] : [older.secret];
  if ([address, secret, ...olderSecrets].every((one) => box.isCurrent(one))) return "current";
  const names = sealNames(id);
  const url = box.open(names.address, address);
  const opened = box.open(names.secret, secret);
  if (url === null || opened === null) return "unreadable";
  const old = older === null ? null : box.open(names.secret, older.secret);
  return {
    address: box.seal(names.address, url),
    secret: box.seal(names.secret, opened),
    older:
      older === null || old === null ? null : { ...older, secret: box.seal(names.secret, old) },
  };
}
