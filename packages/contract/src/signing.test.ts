import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import {
  canonicalString,
  compareCanonical,
  EMPTY_BODY_SHA256,
  parseSignature,
  signatureHeader,
} from "./signing.ts";

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
  test.each(vectors)("vector: $name", (vector) => {
    const bodySha256 = createHash("sha256").update(vector.body, "utf8").digest("hex");
    expect(bodySha256).toBe(vector.bodySha256);
    const canonical = canonicalString({ ...vector, bodySha256 });
    expect(canonical).toBe(vector.canonical);
    const mac = createHmac("sha256", vector.secret).update(canonical, "utf8").digest("base64");
    expect(signatureHeader(mac)).toBe(vector.signature);
    expect(parseSignature(vector.signature)).toBe(mac);
  });

  test("there are vectors", () => {
    expect(vectors.length).toBe(5);
  });

  test("the method is upper case and nothing else is touched", () => {
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

  test("the empty body's hash is the hash of nothing", () => {
    expect(EMPTY_BODY_SHA256).toBe(createHash("sha256").digest("hex"));
  });
});

const GOOD = "v1=LKystNWMSjwP5gEgviddXuzWEdfpArrNZo4bRdTNGAw=";

describe("only canonical base64 under the v1 tag is a signature [D2.6]", () => {
  test.each([
    ["as documented", GOOD, true],
    ["no tag", GOOD.slice(3), false],
    ["another tag", GOOD.replace("v1", "v2"), false],
    ["tag in upper case", GOOD.replace("v1", "V1"), false],
    ["no padding", GOOD.slice(0, -1), false],
    ["too much padding", `${GOOD}=`, false],
    ["bits beyond the last byte", GOOD.replace("Aw=", "Ax="), false],
    ["url alphabet", GOOD.replace("LKys", "-_ys"), false],
    ["something in front", `x${GOOD}`, false],
    ["a space behind", `${GOOD} `, false],
    ["a line feed behind", `${GOOD}\n`, false],
    ["hex", `v1=${"ab".repeat(32)}`, false],
    ["too short", "v1=AAAA", false],
    ["empty", "", false],
  ])("%s", (_, header, passes) => {
    expect(parseSignature(header) !== null).toBe(passes);
  });
});

describe("comparing canonical strings", () => {
  const parts = {
    method: "GET",
    target: "/a",
    timestamp: "1700000000000",
    nonce: "n",
    bodySha256: EMPTY_BODY_SHA256,
  };
  const left = canonicalString(parts);

  test("equal ones are the same", () => {
    expect(compareCanonical(left, canonicalString(parts))).toEqual({ kind: "same" });
  });

  test.each([
    ["method", { method: "POST" }],
    ["target", { target: "/a?x=1" }],
    ["timestamp", { timestamp: "1700000000001" }],
    ["nonce", { nonce: "m" }],
    ["bodySha256", { bodySha256: "00" }],
  ])("says that the %s differs", (part, change) => {
    const compared = compareCanonical(left, canonicalString({ ...parts, ...change }));
    expect(compared).toMatchObject({ kind: "different", differences: [{ part }] });
  });

  test("a version tag of another scheme differs too", () => {
    expect(compareCanonical(left, left.replace("v1", "v2"))).toEqual({
      kind: "different",
      differences: [{ part: "version", left: "v1", right: "v2" }],
    });
  });

  test("a line feed at the end is a matter of shape", () => {
    expect(compareCanonical(left, `${left}\n`)).toEqual({
      kind: "shape",
      leftLines: 6,
      rightLines: 7,
    });
  });

  test("so it is on either side", () => {
    const shape = { kind: "shape", leftLines: 7, rightLines: 6 };
    expect(compareCanonical(`${left}\n`, left)).toEqual(shape);
  });
});
