import { expect, test } from "vitest";
import { nameUuid, requestOrderUuid } from "./order-uuid.ts";

const DNS = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
const URL_NAMES = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";

test.each([
  // RFC 9562, appendix A.4.
  [DNS, "www.example.com", "2ed6657d-e927-568b-95e1-2665a8aea6a2"],
  // Python's `uuid.uuid5`.
  [DNS, "python.org", "886313e1-3b8a-5372-9b90-0c9aee199e5d"],
  [URL_NAMES, "http://www.example.com/", "fcde3c85-2270-590f-9e7c-ee003d65e0e2"],
])("the id of a name in %s is the one that other libraries give", (namespace, name, id) => {
  expect(nameUuid(namespace, name)).toBe(id);
});

test("a request has one order id, and every other key or nonce has another", () => {
  const id = requestOrderUuid({ keyId: "pk_a", nonce: "1" });
  expect(requestOrderUuid({ keyId: "pk_a", nonce: "1" })).toBe(id);
  const others = [
    requestOrderUuid({ keyId: "pk_b", nonce: "1" }),
    requestOrderUuid({ keyId: "pk_a", nonce: "2" }),
    // The separator is in neither part, so these two have different ids.
    requestOrderUuid({ keyId: "pk_a1", nonce: "" }),
  ];
  expect(new Set([id, ...others]).size).toBe(4);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
