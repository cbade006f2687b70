import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../testing/harness.ts";

const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };

/** Paths that the router decodes or shortens to a path of the operator's or the pages' calls. */
const SPELLINGS = [
  "/%6fperator/v1/accounts",
  "/oper%61tor/v1/accounts",
  "/operator%2Fv1/accounts",
  "/operator/v1/%61ccounts",
  "/operator/v1/accounts/",
  "//operator/v1/accounts",
  "/operator//v1/accounts",
  "/./operator/v1/accounts",
  "/api/../operator/v1/accounts",
  "/api/%2e%2e/operator/v1/accounts",
  "/Operator/v1/accounts",
  "/operator;x/v1/accounts",
  "http://127.0.0.1/operator/v1/accounts",
  "http://elsewhere.example/operator/v1/accounts",
  "/dashboard/v1/%6fperator/accounts",
  "/%64ashboard/v1/session",
  "http://127.0.0.1/dashboard/v1/session",
];

describe("a JSON interface has one spelling", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness();
    return () => service.close();
  });

  test.each(SPELLINGS)("%s is not found, with the operator's token and signed", async (target) => {
    const withToken = await service.call(target, { signer: null, headers });
    expect(withToken.status).toBe(404);
    expect((await service.call(target)).status).toBe(404);
  });

  test("the plain spelling is served, and its parameters may be escaped", async () => {
    const plain = await service.call("/operator/v1/accounts?limit=1", { signer: null, headers });
    expect(plain.status).toBe(200);
    const escaped = service.signer.keyId.replace("pk_", "%70k_");
    const revoked = await service.call(`/operator/v1/keys/${escaped}`, {
      method: "DELETE",
      signer: null,
      headers,
    });
    expect(revoked.json()).toEqual({
      success: true,
      data: { keyId: service.signer.keyId, armedSwitches: 0, restingOrders: 0 },
    });
  });
});
