import { describe, expect, test } from "vitest";
import { createClient } from "./client.ts";
import { type ClientSettings, connectionOf, settleTimeoutOf } from "./client-settings.ts";
import { InvalidSettingError } from "./errors.ts";

const SECRET = "propgate_sk_0123456789abcdefghijklmnopqrstuvwxyz-ABCDEF2g2KuK";
const RIGHT: ClientSettings = { baseUrl: "http://127.0.0.1:8787", keyId: "pk_1", secret: SECRET };

function rejectionOf(settings: unknown): InvalidSettingError {
  try {
    // A program in JavaScript can pass any value.
    Reflect.apply(createClient, undefined, [settings]);
  } catch (error) {
    if (error instanceof InvalidSettingError) return error;
    throw error;
  }
  throw new Error("the settings were accepted");
}

describe("createClient names an invalid setting", () => {
  test.each([
    [{}, "'baseUrl' is required and must be a string"],
    [{ ...RIGHT, baseUrl: undefined }, "'baseUrl' is required and must be a string"],
    [{ ...RIGHT, baseUrl: "" }, "'baseUrl' is empty"],
    [
      { ...RIGHT, baseUrl: "127.0.0.1:8787" },
      "'baseUrl' must be an http or https URL, such as http://127.0.0.1:8787",
    ],
    [
      { ...RIGHT, baseUrl: "ftp://a.example" },
      "'baseUrl' must be an http or https URL, such as http://127.0.0.1:8787",
    ],
    [
      { ...RIGHT, baseUrl: "https://" },
      "'baseUrl' must be an http or https URL, such as http://127.0.0.1:8787",
    ],
    [
      { ...RIGHT, baseUrl: "https://a.example/api/v1" },
      "'baseUrl' must have no path or query, such as https://a.example",
    ],
    [
      { ...RIGHT, baseUrl: "https://a.example?x=1" },
      "'baseUrl' must have no path or query, such as https://a.example",
    ],
    [
      { ...RIGHT, baseUrl: "https://u:p@a.example" },
      "'baseUrl' must not contain a user name or password",
    ],
    [{ ...RIGHT, keyId: "" }, "'keyId' is empty"],
    [{ ...RIGHT, keyId: null }, "'keyId' is required and must be a string"],
    [
      { ...RIGHT, keyId: "pk_1\n" },
      "'keyId' must be printable ASCII without spaces or line breaks",
    ],
    [{ ...RIGHT, secret: "" }, "'secret' is empty"],
    [{ ...RIGHT, secret: `${SECRET}\n` }, "'secret' must have no spaces or line breaks"],
    [
      { ...RIGHT, brand: "X Y" },
      "'brand' must be a word that is valid in a header name, such as Service",
    ],
    [{ ...RIGHT, timeoutMs: 0 }, "'timeoutMs' must be milliseconds above 0, at most 2147483647"],
    [
      { ...RIGHT, settleTimeoutMs: Number.NaN },
      "'settleTimeoutMs' must be milliseconds above 0, at most 2147483647",
    ],
  ])("createClient rejects %j", (settings, message) => {
    const error = rejectionOf(settings);
    expect(error.message).toBe(message);
    expect(error.code).toBe("invalidSetting");
    expect(message).toContain(`'${error.setting}'`);
  });

  test.each(["propgate_sk_0123", " PROPGATE_SK_abc", "sk_0123"])(
    "a key id that begins with %s is rejected and not shown [D10.secretAsId]",
    (keyId) => {
      const error = rejectionOf({ ...RIGHT, keyId });
      expect(error.message).toBe("'keyId' looks like a secret: id and secret are swapped");
      expect(JSON.stringify(error) + String(error.stack)).not.toContain(keyId);
    },
  );

  test.each([
    ["cut off", SECRET.slice(0, -1)],
    ["cut off by half", SECRET.slice(0, 30)],
    ["mistyped", SECRET.replace("xyz", "xyy")],
    ["in capitals", SECRET.toUpperCase()],
  ])("a secret that was %s is rejected and not shown [D10.secretForm]", (_, secret) => {
    const error = rejectionOf({ ...RIGHT, secret });
    expect(error.message).toBe(
      "'secret' was copied incompletely or mistyped: its checksum does not match",
    );
    expect(JSON.stringify(error) + String(error.stack)).not.toContain(secret);
  });

  test("a secret of another service has no checksum and is accepted [D10.secretForm]", () => {
    for (const secret of [SECRET, "another-form"]) {
      expect(connectionOf({ ...RIGHT, secret }).secret).toBe(secret);
    }
  });

  test("a slash at the end of the URL is accepted, and its host is lower-cased", () => {
    expect(connectionOf({ ...RIGHT, baseUrl: "HTTPS://A.example/" }).baseUrl).toBe(
      "https://a.example",
    );
  });

  test("an order is settled within 20 s by default [D10.settleDeadline]", () => {
    expect(settleTimeoutOf(RIGHT)).toBe(18_000);
    expect(settleTimeoutOf({ ...RIGHT, settleTimeoutMs: 5000 })).toBe(5000);
  });

  test("an invalid timeout of one call is rejected too", async () => {
    const client = createClient(RIGHT);
    await expect(client.positions({ timeoutMs: -1 })).rejects.toThrow("'timeoutMs'");
  });
});
