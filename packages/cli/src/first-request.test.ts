import { DEFAULT_BRAND } from "@propgate/contract";
import { expect, test } from "vitest";
import { DEFAULT_BASE_URL } from "./base-url.ts";
import { firstRequestLines } from "./first-request.ts";

test("the first start names the address too, because programs such as a bot for ccxt have no default address", () => {
  const service = { baseUrl: DEFAULT_BASE_URL, brand: DEFAULT_BRAND, examplePair: null };
  const key = { accountId: "5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11", keyId: "pk_1", secret: "sk_1" };
  expect(firstRequestLines(service, key)).toContain(`export PROPGATE_BASE_URL=${DEFAULT_BASE_URL}`);
});
