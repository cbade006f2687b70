import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sign } from "./sign.ts";

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
  readonly bodySha256: string;
  readonly canonical: string;
  readonly signature: string;
}

const VECTORS: readonly Vector[] = JSON.parse(
  readFileSync(new URL("../../contract/fixtures/signature-vectors.json", import.meta.url), "utf8"),
);

describe("sign [S5.canonical]", () => {
  test.each(VECTORS)("sign makes the known signature: $name", async (vector) => {
    const signed = await sign({ ...vector, keyId: "pk_1" });
    expect(signed.canonical).toBe(vector.canonical);
    expect(signed.bodySha256).toBe(vector.bodySha256);
    expect(signed.signature).toBe(vector.signature);
    expect(signed.headers).toEqual({
      "X-Service-Key-Id": "pk_1",
      "X-Service-Timestamp": vector.timestamp,
      "X-Service-Nonce": vector.nonce,
      "X-Service-Signature": vector.signature,
    });
  });

  test("sign treats bytes like their text, and a number as timestamp like its digits", async () => {
    const [, , order] = VECTORS;
    if (order === undefined) throw new Error("no vector");
    const body = new TextEncoder().encode(order.body);
    const signed = await sign({ ...order, body, timestamp: 1_700_000_000_002, keyId: "pk_1" });
    expect(signed.signature).toBe(order.signature);
  });

  test("sign puts the brand word only into the header names [D1.brand]", async () => {
    const [read] = VECTORS;
    if (read === undefined) throw new Error("no vector");
    const signed = await sign({ ...read, keyId: "pk_1", brand: "Acme" });
    expect(Object.keys(signed.headers)).toEqual([
      "X-Acme-Key-Id",
      "X-Acme-Timestamp",
      "X-Acme-Nonce",
      "X-Acme-Signature",
    ]);
    expect(signed.signature).toBe(read.signature);
  });
});
