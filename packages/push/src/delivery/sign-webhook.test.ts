import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { systemClock } from "../../../base/src/clock.ts";
import { systemChance } from "../../../base/src/random.ts";
import { generateWebhookSecret, signWebhook } from "./sign-webhook.ts";

describe("a signed webhook", () => {
  test("a signed webhook has the signature that the standard's library makes", async () => {
    // This is the published test vector of the standard's libraries.
    const headers = await signWebhook(
      { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestampS: 1614265330, body: '{"test": 2432232314}' },
      { secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], sign: null },
    );
    expect(headers).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test("a signed webhook is verified by the standard's library with each of its secrets, and with no other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
        const [fresh, old, other] = [secret(), secret(), secret()];
        const body = JSON.stringify({ text });
        const timestampS = Math.floor(systemClock.now() / 1000);
        const signers = { secrets: [fresh, old], sign: null };
        const headers = await signWebhook({ id: "evt_1", timestampS, body }, signers);
        for (const one of [fresh, old]) {
          expect(new Webhook(one).verify(body, { ...headers })).toEqual({ text });
        }
        expect(() => new Webhook(other).verify(body, { ...headers })).toThrow("No matching");
        expect(() => new Webhook(fresh).verify(`${body} `, { ...headers })).toThrow("No matching");
      }),
      propertySettings(100),
    );
  });

  test("a signed webhook has the signature of the new secret first during a rotation", async () => {
    const [fresh, old] = [secret(), secret()];
    const message = { id: "evt_1", timestampS: 1_767_776_400, body: "{}" };
    const of = async (...secrets: readonly string[]) =>
      (await signWebhook(message, { secrets, sign: null }))["webhook-signature"];
    expect(await of(fresh, old)).toBe(`${await of(fresh)} ${await of(old)}`);
  });

  test("a signature by a public key stands behind those of the secrets, over the same text", async () => {
    const message = { id: "evt_1", timestampS: 1_767_776_400, body: '{"a":1}' };
    const secrets = [secret(), secret()];
    const signed = await signWebhook(message, { secrets, sign: async (bytes) => bytes });
    const [, , last = "", ...more] = (signed["webhook-signature"] ?? "").split(" ");
    expect(more).toEqual([]);
    expect(Buffer.from(last.replace(/^v1a,/, ""), "base64").toString()).toBe(
      'evt_1.1767776400.{"a":1}',
    );
  });

  test.each([[[]], [["whsec_"]], [["whsec_a"]], [["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]]])(
    "a signed webhook is never made with the secrets %j",
    async (secrets) => {
      const message = { id: "evt_1", timestampS: 1, body: "{}" };
      await expect(signWebhook(message, { secrets, sign: null })).rejects.toThrow(
        "broken invariant",
      );
    },
  );
});

test("a new secret has 32 bytes in padded base64 after its prefix", () => {
  const made = generateWebhookSecret({ ...systemChance, bytes: (count) => new Uint8Array(count) });
  expect(made).toBe(`whsec_${"A".repeat(43)}=`);
});

function secret(): string {
  return generateWebhookSecret(systemChance);
}
