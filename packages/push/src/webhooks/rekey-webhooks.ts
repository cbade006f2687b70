import type { Rekeying, SecretBox } from "@propgate/access";
import type { EndpointStore, SealedEndpoint, StoredEndpoint } from "@propgate/ledger";
import { sealNames } from "./sealed-endpoint.ts";

const PAGE = 500;

/**
 * Seals every address and secret under the newest master key, so that older keys can be removed. A webhook that changes
 * meanwhile is left alone: the change has sealed it anew. @rule D8.rekey
 */
export async function rekeyWebhooks(
  endpoints: Pick<EndpointStore, "page" | "reseal">,
  box: SecretBox,
): Promise<Rekeying> {
  let resealed = 0;
  const unreadable: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: readonly StoredEndpoint[] = await endpoints.page(after, PAGE);
    for (const endpoint of page) {
      const sealed = sealedAnew(endpoint, box);
      if (sealed === "unreadable") unreadable.push(endpoint.id);
      else if (sealed !== "current" && (await endpoints.reseal(endpoint, sealed))) resealed += 1;
    }
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) return { resealed, unreadable };
  }
}

function sealedAnew(
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
