import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalString, EMPTY_BODY_SHA256, signatureHeader } from "./signing.ts";

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

const file = resolve(import.meta.dirname, "../fixtures/signature-vectors.json");
const vectors: readonly Vector[] = JSON.parse(readFileSync(file, "utf8"));

describe("canonical string [S5.canonical]", () => {
  test.each(vectors)("the canonical string is that of the vector: $name", (vector) => {
    const bodySha256 = createHash("sha256").update(vector.body, "utf8").digest("hex");
    expect(bodySha256).toBe(vector.bodySha256);
    const canonical = canonicalString({ ...vector, bodySha256 });
    expect(canonical).toBe(vector.canonical);
    const mac = createHmac("sha256", vector.secret).update(canonical, "utf8").digest("base64");
    expect(signatureHeader(mac)).toBe(vector.signature);
  });

  test("the file of vectors is not empty", () => {
    expect(vectors.length).toBe(5);
  });

  test("only the method changes its case", () => {
    const canonical = canonicalString({
      method: "get",
      target: "/a?B=%2f",
      timestamp: "0001700000000000",
      nonce: "N ",
      bodySha256: EMPTY_BODY_SHA256,
    });
    expect(canonical).toBe(
      "v1\nGET\n/a?B=%2f\n0001700000000000\nN \ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });

  test("the hash of an empty body is the SHA-256 of no bytes", () => {
    expect(EMPTY_BODY_SHA256).toBe(createHash("sha256").digest("hex"));
  });
});
