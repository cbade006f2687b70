import { chmod } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { writeTemporaryFile } from "../../server/src/testing/temporary-folder.ts";
import { readSandboxNames, readSettings, secretSettings } from "./config.ts";

describe("settings", () => {
  test("an empty environment gives a service that runs", () => {
    const reading = readSettings({});
    expect(reading).toMatchObject({
      ok: true,
      settings: { host: "127.0.0.1", port: 8787, brand: "Service", databaseUrl: null, replay: [] },
    });
  });

  test.each([
    ["PROPGATE_PORT", "80a", "PROPGATE_PORT must be a whole number from 0 to 65535"],
    ["PROPGATE_PORT", "65536", "PROPGATE_PORT must be a whole number from 0 to 65535"],
    ["PROPGATE_BRAND", "a b", "PROPGATE_BRAND must be a word"],
    ["PROPGATE_MASTER_KEY", "short", "PROPGATE_MASTER_KEY must be 32 bytes in base64 or hex"],
    ["PROPGATE_REPLAY_SPEED", "0", "PROPGATE_REPLAY_SPEED must be a number above 0"],
    ["PROPGATE_REPLAY_SPEED", "fast", "PROPGATE_REPLAY_SPEED must be a number above 0"],
    ["PROPGATE_REPLAY_MAX_UNUSABLE", "101", "PROPGATE_REPLAY_MAX_UNUSABLE must be a number from 0"],
    ["PROPGATE_REPLAY_MAX_UNUSABLE", "-1", "PROPGATE_REPLAY_MAX_UNUSABLE must be a number from 0"],
    ["PROPGATE_REPLAY_REBASE", "then", "PROPGATE_REPLAY_REBASE must be now or own"],
    ["PROPGATE_REPLAY_LOOP", "yes", "PROPGATE_REPLAY_LOOP must be true or false"],
    ["PROPGATE_PUBLIC_URL", "trade.example.com", "PROPGATE_PUBLIC_URL must be an http or https"],
    ["PROPGATE_PUBLIC_URL", "https://a.example/pages", "PROPGATE_PUBLIC_URL must be an http or"],
    ["PROPGATE_PUBLIC_URL", "https://a.example?x", "PROPGATE_PUBLIC_URL must be an http or https"],
    ["PROPGATE_PUBLIC_URL", "https://me@a.example", "PROPGATE_PUBLIC_URL must be an http or"],
    ["PROPGATE_PUBLIC_URL", "ftp://a.example", "PROPGATE_PUBLIC_URL must be an http or https"],
    ["PROPGATE_TRUSTED_PROXIES", "10.0.0.1,proxy", "proxy must be an address or CIDR block"],
    ["PROPGATE_NETWORK", "vantage", "PROPGATE_NETWORK must be embedded or vanta"],
    ["PROPGATE_NETWORK_URL", "http://validator.example", "PROPGATE_NETWORK_URL must be an https"],
    ["PROPGATE_NETWORK_URL", "http://127.0.0.1.example", "PROPGATE_NETWORK_URL must be an https"],
    ["PROPGATE_NETWORK_URL", "ws://127.0.0.1:1", "PROPGATE_NETWORK_URL must be an https"],
    ["PROPGATE_NETWORK_URL", "https://a.example/x", "PROPGATE_NETWORK_URL must be an https"],
    ["PROPGATE_GATEWAY_URL", "https://a.example?k=1", "PROPGATE_GATEWAY_URL must be an https"],
    ["PROPGATE_GATEWAY_URL", "https://a.example#k", "PROPGATE_GATEWAY_URL must be an https"],
    ["PROPGATE_NETWORK_ENTITY", "5Entity_0", "PROPGATE_NETWORK_ENTITY must be a hotkey"],
    ["PROPGATE_NETWORK_KEY", "two words", "PROPGATE_NETWORK_KEY must be 1 to 512 printable"],
    ["PROPGATE_WEBHOOKS_PORTS", "443;8443", "PROPGATE_WEBHOOKS_PORTS must be ports from 1 to"],
    ["PROPGATE_WEBHOOKS_PORTS", "0", "PROPGATE_WEBHOOKS_PORTS must be ports from 1 to 65535"],
    ["PROPGATE_WEBHOOKS_PORTS", ",", "PROPGATE_WEBHOOKS_PORTS must be ports from 1 to 65535"],
    ["PROPGATE_WEBHOOKS_PRIVATE", "true", "PROPGATE_WEBHOOKS_PRIVATE must be 0, 1 or all"],
    ["PROPGATE_LOG_LEVEL", "loud", "PROPGATE_LOG_LEVEL must be a log level"],
  ])("%s=%s is refused by name", (variable, value, problem) => {
    const reading = readSettings({ [variable]: value });
    expect(reading.ok ? [] : reading.problems).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    ["https://Trade.Example.com:443/", "https://trade.example.com"],
    ["http://localhost:8787", "http://localhost:8787"],
  ])("the pages' address %s is %s, as a browser writes it", (given, origin) => {
    const reading = readSettings({ PROPGATE_PUBLIC_URL: given });
    expect(reading).toMatchObject({ ok: true, settings: { publicUrl: origin } });
  });

  test.each([
    ["https://Validator.Example:443/", "https://validator.example"],
    ["http://127.0.0.1:48888", "http://127.0.0.1:48888"],
    ["http://localhost:48888", "http://localhost:48888"],
    ["http://[::1]:48888", "http://[::1]:48888"],
  ])("the validator's address %s is %s", (given, origin) => {
    const reading = readSettings({ PROPGATE_NETWORK_URL: given });
    expect(reading).toMatchObject({ ok: true, settings: { networkUrl: origin } });
  });

  test.each([
    [{}, "none", [443, 8443]],
    [{ PROPGATE_WEBHOOKS_PRIVATE: "", PROPGATE_WEBHOOKS_PORTS: "" }, "none", [443, 8443]],
    [{ PROPGATE_WEBHOOKS_PRIVATE: "0" }, "none", [443, 8443]],
    [{ PROPGATE_WEBHOOKS_PRIVATE: "1", PROPGATE_WEBHOOKS_PORTS: "443" }, "operator", [443]],
    [{ PROPGATE_WEBHOOKS_PRIVATE: "all", PROPGATE_WEBHOOKS_PORTS: "1, 65535" }, "all", [1, 65535]],
  ])("the environment %j lets webhooks to private addresses: %s", (given, whose, ports) => {
    const settings = { webhooksPrivate: whose, webhookPorts: ports };
    expect(readSettings(given)).toMatchObject({ ok: true, settings });
  });

  test("an address with a password is refused without repeating it", () => {
    const reading = readSettings({
      PROPGATE_NETWORK_URL: "https://me:hunter2@validator.example",
      PROPGATE_GATEWAY_URL: "https://hunter2@gateway.example",
    });
    expect(reading.ok ? [] : reading.problems).toHaveLength(2);
    expect(JSON.stringify(reading)).not.toContain("hunter2");
  });

  test("proxies are addresses and blocks of them", () => {
    const reading = readSettings({ PROPGATE_TRUSTED_PROXIES: "127.0.0.1, fd00::/8" });
    const trustedProxies = ["127.0.0.1", "fd00::/8"];
    expect(reading).toMatchObject({ ok: true, settings: { trustedProxies } });
  });

  test("a wrong database URL is refused without repeating it, for it may hold a password", () => {
    const reading = readSettings({ PROPGATE_DATABASE_URL: "mysql://root:hunter2@db/x" });
    expect(reading.ok ? "" : reading.problems.join()).not.toContain("hunter2");
    expect(reading.ok).toBe(false);
  });

  test("a secret may come from a file, without the line feed at its end", async () => {
    const file = await writeTemporaryFile("token", "oanda-token-1\n");
    await chmod(file, 0o600);
    expect(readSettings({ PROPGATE_OANDA_TOKEN_FILE: file })).toMatchObject({
      ok: true,
      settings: { oandaToken: "oanda-token-1" },
      warnings: [],
    });
  });

  test("a file of a secret that others may read is refused by its variable", async () => {
    const file = await writeTemporaryFile("token", "oanda-token-1\n");
    await chmod(file, 0o644);
    const reading = readSettings({ PROPGATE_OANDA_TOKEN_FILE: file });
    expect(reading.ok ? [] : reading.problems).toEqual([
      expect.stringMatching(/^PROPGATE_OANDA_TOKEN_FILE: .*permissions 644\); run chmod 600 '/),
    ]);
  });

  test("a file of a secret that its group alone may read is refused with what to do where it is mounted", async () => {
    const file = await writeTemporaryFile("token", "oanda-token-1\n");
    for (const [mode, isMounted] of [
      [0o440, true],
      [0o640, true],
      [0o444, false],
      [0o660, false],
    ] as const) {
      await chmod(file, mode);
      const reading = readSettings({ PROPGATE_OANDA_TOKEN_FILE: file });
      const [problem = ""] = reading.ok ? [] : reading.problems;
      expect(problem).toContain("run chmod 600");
      expect([mode, /fsGroup .* in the variable without _FILE$/.test(problem)]).toEqual([
        mode,
        isMounted,
      ]);
    }
  });

  test("a missing, an empty and a wrong file of a secret are refused by its variable, without the content", async () => {
    const file = await writeTemporaryFile("token", "two words");
    const empty = await writeTemporaryFile("empty", "\n");
    for (const path of [file, empty]) await chmod(path, 0o600);
    const reading = readSettings({
      PROPGATE_TIINGO_TOKEN_FILE: `${file}.missing`,
      PROPGATE_MASSIVE_KEY_FILE: empty,
      PROPGATE_ALPACA_KEY_FILE: file,
    });
    expect(reading.ok ? [] : reading.problems).toEqual([
      expect.stringMatching(/^PROPGATE_TIINGO_TOKEN_FILE: .* cannot be read: ENOENT/),
      expect.stringMatching(/^PROPGATE_MASSIVE_KEY_FILE: .* is empty$/),
      "PROPGATE_ALPACA_KEY_FILE must be 1 to 512 printable characters, no spaces",
    ]);
  });

  test("a secret and a file of it are refused together", () => {
    const reading = readSettings({
      PROPGATE_PUSH_TOKEN: "a".repeat(24),
      PROPGATE_PUSH_TOKEN_FILE: "/run/secrets/push",
    });
    expect(reading.ok ? [] : reading.problems).toEqual([
      "PROPGATE_PUSH_TOKEN_FILE and PROPGATE_PUSH_TOKEN are both set",
    ]);
  });

  test("a short token of the push listener is refused without repeating it", () => {
    const reading = readSettings({ PROPGATE_PUSH_TOKEN: "hunter2" });
    expect(reading.ok ? [] : reading.problems).toEqual([
      "PROPGATE_PUSH_TOKEN must be at least 24 printable characters, no spaces",
    ]);
  });

  test("the secrets of venues are listed, so that no log contains them", () => {
    const reading = readSettings({
      PROPGATE_OANDA_TOKEN: "oanda-token-1",
      PROPGATE_ALPACA_SECRET: "alpaca-secret-1",
    });
    expect(reading.ok ? secretSettings(reading.settings) : []).toEqual([
      "oanda-token-1",
      "alpaca-secret-1",
    ]);
  });

  test("every problem is told at once", () => {
    const reading = readSettings({ PROPGATE_PORT: "x", PROPGATE_BRAND: "-" });
    expect(reading.ok ? [] : reading.problems).toHaveLength(2);
  });

  test("a flag wins over the environment and is named by its own spelling", () => {
    expect(readSettings({ PROPGATE_PORT: "1" }, { port: "2" })).toMatchObject({
      ok: true,
      settings: { port: 2 },
    });
    const reading = readSettings({}, { replaySpeed: "-1" });
    expect(reading.ok ? [] : reading.problems).toEqual([
      expect.stringContaining("--replay-speed must be a number above 0"),
    ]);
  });

  test("a misspelt variable is told instead of being silently without effect", () => {
    expect(readSettings({ PROPGATE_PROT: "1" })).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining("PROPGATE_PROT")],
    });
  });

  test("the variables of clients are no warning, although they are no settings", () => {
    const reading = readSettings({
      PROPGATE_PROFILE: "desk",
      PROPGATE_SECRET_FILE: "secret",
      PROPGATE_KEY_ID: "pk_1",
    });
    expect(reading).toMatchObject({ ok: true, warnings: [] });
  });
});

describe("the settings of a sandbox [D8.sandboxSettings]", () => {
  test("a sandbox reads the names, and passes over the variables of clients and empty ones", () => {
    const clients = {
      PROPGATE_KEY_ID: "pk_1",
      PROPGATE_OPERATOR_TOKEN: "op_1",
      PROPGATE_DEPTH: "1",
    };
    const names = { PROPGATE_BRAND: "Acme", PROPGATE_NETWORK_NAME: "Foonet" };
    expect(readSandboxNames({ ...clients, ...names, PROPGATE_PORT: "" })).toEqual({
      ok: true,
      names: { brand: "Acme", networkName: "Foonet" },
    });
  });

  test("every other setting and every unknown variable is a problem", () => {
    const reading = readSandboxNames({
      PROPGATE_CATALOGUE: "perps",
      PROPGATE_MASTER_KEY_FILE: "key",
      PROPGATE_PROT: "1",
    });
    expect(reading.ok ? [] : reading.problems).toEqual([
      "PROPGATE_MASTER_KEY_FILE is not read by a sandbox: unset it",
      "PROPGATE_CATALOGUE is not read by a sandbox: use --catalogue",
      "PROPGATE_PROT is not a setting: unset it",
    ]);
  });
});
