import type { OperatorAnswer } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { OWNER } from "../../testing/harness.ts";
import { createOperatorClient } from "../../testing/operator-client.ts";
import { openPagedService, type PagedService } from "../../testing/page-client.ts";

describe("GET /alerts", () => {
  let service: PagedService;
  beforeAll(async () => {
    service = await openPagedService();
    return () => service.close();
  });
  const alerts = async (query: string): Promise<OperatorAnswer<"alerts.list">["items"]> => {
    const { items } = await createOperatorClient(service).data("GET", `/alerts?${query}`);
    return items as OperatorAnswer<"alerts.list">["items"];
  };

  test("GET /alerts lists who made and revoked a key, of every owner or of one [D9.alerts]", async () => {
    const path = `/accounts/${service.accountId}/keys`;
    const body = { label: "desk", scopes: ["trade:read"] };
    const { data } = await service.page("POST", path, { body });
    const { key } = data as { readonly key: { readonly keyId: string } };
    await createOperatorClient(service).data("DELETE", `/keys/${key.keyId}`);
    const ofKey = await alerts(`keyId=${key.keyId}`);
    expect(new Set(ofKey.map(({ type, by }) => `${type} by ${by}`))).toEqual(
      new Set(["key.created by owner", "key.revoked by operator token root"]),
    );
    expect(ofKey[0]).toMatchObject({
      id: expect.stringMatching(/^alt_[0-9a-f]{32}$/),
      ownerId: OWNER,
      accountId: service.accountId,
      label: "desk",
      untilMs: null,
      webhookId: null,
    });
    expect(await alerts("ownerId=owner-none")).toEqual([]);
    expect(await alerts(`ownerId=${OWNER}&type=key.revoked&keyId=${key.keyId}`)).toHaveLength(1);
  });
});
