import { describe, expect, test } from "vitest";
import { CannotStart } from "../../../../base/src/cannot-start.ts";
import { readSettings, type Settings } from "../../../../base/src/config.ts";
import { vantaSettings } from "./vanta-settings.ts";

const COMPLETE = {
  PROPGATE_NETWORK: "vanta",
  PROPGATE_NETWORK_URL: "https://validator.example:48888",
  PROPGATE_GATEWAY_URL: "https://gateway.example:8088",
  PROPGATE_NETWORK_ENTITY: "5Entity",
  PROPGATE_NETWORK_KEY: "key-of-the-validator",
};

function settings(environment: Readonly<Record<string, string>>): Settings {
  const reading = readSettings(environment);
  if (!reading.ok) throw new Error(reading.problems.join());
  return reading.settings;
}

describe("the settings of a Vanta validator", () => {
  test("the settings of a Vanta validator are not asked for while the service runs on its own network", () => {
    expect(vantaSettings(settings({}))).toBeNull();
    expect(vantaSettings(settings({ ...COMPLETE, PROPGATE_NETWORK: "embedded" }))).toBeNull();
  });

  test("the settings of a Vanta validator use the validator's key for the gateway unless it has its own", () => {
    const validator = { url: "https://validator.example:48888", key: "key-of-the-validator" };
    expect(vantaSettings(settings(COMPLETE))).toEqual({
      validator,
      gateway: { url: "https://gateway.example:8088", key: "key-of-the-validator" },
      entity: "5Entity",
    });
    const own = { ...COMPLETE, PROPGATE_GATEWAY_KEY: "key-of-the-gateway" };
    expect(vantaSettings(settings(own))).toMatchObject({
      validator,
      gateway: { key: "key-of-the-gateway" },
    });
  });

  test.each([
    ["PROPGATE_NETWORK_URL", "PROPGATE_NETWORK_URL"],
    ["PROPGATE_GATEWAY_URL", "PROPGATE_GATEWAY_URL"],
    ["PROPGATE_NETWORK_ENTITY", "PROPGATE_NETWORK_ENTITY"],
    ["PROPGATE_NETWORK_KEY", "PROPGATE_NETWORK_KEY_FILE"],
  ])("the settings without %s stop the start with its name", (variable, named) => {
    const without = Object.entries(COMPLETE).filter(([name]) => name !== variable);
    const start = () => vantaSettings(settings(Object.fromEntries(without)));
    expect(start).toThrow(CannotStart);
    expect(start).toThrow(`PROPGATE_NETWORK is vanta, which also needs ${named}`);
  });

  test("the settings of a Vanta validator name everything that is missing in one error", () => {
    expect(() => vantaSettings(settings({ PROPGATE_NETWORK: "vanta" }))).toThrow(
      "PROPGATE_NETWORK_URL, PROPGATE_GATEWAY_URL, PROPGATE_NETWORK_ENTITY, PROPGATE_NETWORK_KEY_FILE",
    );
  });
});
