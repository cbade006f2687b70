import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type BackgroundCli, startCli } from "../../packages/cli/src/testing/background-cli.ts";
import { runCli, runCliProcess } from "../../packages/cli/src/testing/run-cli.ts";
import {
  OPERATOR_TOKEN,
  openHarness,
  TEST_MASTER_KEY,
} from "../../packages/server/src/testing/harness.ts";
import { sendRequest, signedHeaders } from "../../packages/server/src/testing/signed-request.ts";

/** The tests collect all output of the service and search it for secrets such as this key. */
const MASTER_KEY = Buffer.alloc(32, 0xa7);
const ACCOUNT = "/api/v1/trading/account";
const ORDERS = "/api/v1/trading/orders";
/**
 * Patterns of texts that only the service's internals have: SQL statements, source locations, and messages of the
 * database.
 */
const INTERNAL_TEXTS = [
  /\bselect\b.*\bfrom\b/i,
  /\binsert into\b/i,
  /\n {4}at /,
  /\.ts:\d+/,
  /relation "/,
  /node:internal/,
];

interface RecordedCall {
  /** The signature that was sent, which must not appear in any output. */
  readonly signature: string;
  readonly answer: string;
}

interface Ready {
  readonly baseUrl: string;
  readonly firstKey: {
    readonly accountId: string;
    readonly keyId: string;
    readonly secret: string;
  };
}

/** A client of both interfaces that adds each exchange to `exchanges`. */
function recordingClient({ baseUrl, firstKey }: Ready, exchanges: RecordedCall[]) {
  const { hostname: host, port } = new URL(baseUrl);
  let nonces = 0;
  return {
    /** Sends a signed request. `what` is its method and target. Resolves with the status. */
    async call(what: string, body = "", over: Readonly<Record<string, string>> = {}) {
      nonces += 1;
      const [method = "", path = ""] = what.split(" ");
      const about = { method, target: path, body, nonce: `n-${nonces}` };
      const headers: Record<string, string> = {
        ...signedHeaders(firstKey, { ...about, timestamp: String(Date.now()) }),
        ...(body === "" ? {} : { "Content-Type": "application/json" }),
        ...over,
      };
      const reply = await sendRequest({ host, port, method, path, headers }, body);
      const signature = (headers["X-Service-Signature"] ?? "").replace("v1=", "");
      exchanges.push({ signature, answer: `${JSON.stringify(reply.headers)}\n${reply.text}` });
      return reply.status;
    },
    async operator(what: string, token: string, body?: unknown) {
      const [method = "", path = ""] = what.split(" ");
      const response = await fetch(`${baseUrl}/operator/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    },
  };
}

describe("a running service keeps its secrets [D8.sealed]", () => {
  let dataDir = "";
  let service: BackgroundCli;
  const exchanges: RecordedCall[] = [];
  const secrets = { key: "", token: "" };
  /** The only answer that may have a secret: the one that creates the key. */
  let created = "";

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "propgate-secrets-"));
    const given = [
      "--json",
      "--show-secrets",
      "--port",
      "0",
      "--data",
      dataDir,
      "--log-level",
      "trace",
    ];
    const env = { PROPGATE_MASTER_KEY: MASTER_KEY.toString("base64") };
    service = await startCli(["serve", ...given], { env });
    const ready: Ready = JSON.parse(service.firstLine);
    secrets.key = ready.firstKey.secret;
    secrets.token = readFileSync(join(dataDir, "operator.token"), "utf8").trim();
    await trade(ready);
    created = await operate(ready);
    expect(await service.stop()).toBe(0);
    return () => rm(dataDir, { recursive: true, force: true });
  });

  async function trade(ready: Ready): Promise<void> {
    const client = recordingClient(ready, exchanges);
    const market = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      value: 500,
    };
    const bad = { ...market, value: -1 };
    expect(await client.call(`GET ${ACCOUNT}`)).toBe(200);
    expect(await client.call(`POST ${ORDERS}`, JSON.stringify({ trade: market }))).toBe(200);
    expect(await client.call(`POST ${ORDERS}`, JSON.stringify({ trade: bad }))).toBe(400);
    expect(await client.call(`GET ${ACCOUNT}`, "", { "X-Service-Nonce": "n-1" })).toBe(401);
    expect(await client.call(`GET ${ACCOUNT}`, "", { "X-Service-Key-Id": secrets.key })).toBe(401);
    expect(await client.call("GET /nowhere")).toBe(404);
    expect(await client.call(`PUT ${ORDERS}`, "{}")).toBe(405);
  }

  /** Makes valid and invalid calls as the operator. Resolves with the secret of a new key. */
  async function operate(ready: Ready): Promise<string> {
    const client = recordingClient(ready, exchanges);
    const { token } = secrets;
    const wrong = { accountId: secrets.key, scopes: [] };
    expect((await client.operator("GET /accounts", token.slice(0, -1))).status).toBe(401);
    expect((await client.operator("POST /keys", token, wrong)).status).toBe(400);
    for (const listing of ["/keys", "/accounts", "/health"]) {
      const { text } = await client.operator(`GET ${listing}`, token);
      exchanges.push({ signature: "none was sent", answer: text });
    }
    const key = { accountId: ready.firstKey.accountId, scopes: ["trade:read"] };
    const made = await client.operator("POST /keys", token, key);
    const secret = /propgate_sk_[\w-]{49}/.exec(made.text)?.[0];
    if (secret === undefined) throw new Error(`no secret in ${made.text}`);
    return secret;
  }

  test("no answer contains a secret, a signature, a statement or a place in the source", () => {
    const kept = [...keptSecrets(), created];
    for (const { answer, signature } of exchanges) {
      for (const secret of [...kept, signature]) expect(answer).not.toContain(secret);
      for (const inside of INTERNAL_TEXTS) expect(answer).not.toMatch(inside);
    }
  });

  test("the most verbose log contains no secret, except for the first key, which is shown once", () => {
    const { stdout, stderr } = service.said();
    expect(stderr).toContain('"audit"');
    const said = `${stdout.replace(secrets.key, "shown once")}\n${stderr}`;
    for (const secret of [...keptSecrets(), created]) expect(said).not.toContain(secret);
    for (const { signature } of exchanges) expect(said).not.toContain(signature);
  });

  function keptSecrets(): readonly string[] {
    return [secrets.key, secrets.token, MASTER_KEY.toString("base64"), MASTER_KEY.toString("hex")];
  }
});

describe("a fault of the database [S7.500]", () => {
  test("a database fault shows the client nothing and the log no secret", async () => {
    const service = await openHarness();
    await service.quote("BTCUSD", 50_000, 50_000);
    const answers: string[] = [];
    for (const table of ["nonces", "journal", "keys", "accounts", "trades"]) {
      service.cache.clear();
      await service.database.query(`alter table ${table} rename to hidden`);
      for (const reply of [
        await service.get("account"),
        await service.get("trades"),
        await service.order({
          execution_type: "MARKET",
          trade_pair: "BTCUSD",
          order_type: "LONG",
          value: 100,
        }),
      ]) {
        answers.push(`${JSON.stringify(reply.headers)}\n${reply.text}`);
        if (reply.status !== 200) expect(Object.keys(reply.json() as object)).toEqual(["error"]);
      }
      await service.database.query(`alter table hidden rename to ${table}`);
    }
    expect(answers.some((answer) => answer.includes("Internal error"))).toBe(true);
    for (const inside of INTERNAL_TEXTS) expect(answers.join("\n")).not.toMatch(inside);
    const log = service.logged.join("\n");
    expect(log).toContain("does not exist");
    for (const secret of [service.signer.secret, OPERATOR_TOKEN, TEST_MASTER_KEY]) {
      expect(log).not.toContain(secret);
      expect(answers.join("\n")).not.toContain(secret);
    }
    expect((await service.get("account")).status).toBe(200);
    await service.close();
  });
});

describe("a fault that quotes its input [D8.sealed] [S7.500]", () => {
  const PASSWORD = 'p@ss"word-of-the-database';
  const URL_OF_IT = `postgres://propgate:${encodeURIComponent(PASSWORD)}@db.internal/propgate`;

  test("a fault that quotes its input leaves no secret of any part of the request in the log", async () => {
    const signature = `v1=${"Ab+/".repeat(10)}abc=`;
    let quoted: readonly string[] = [];
    const service = await openHarness({
      databaseUrl: URL_OF_IT,
      wrap: (network) => ({
        ...network,
        positions: () => {
          const [secret = "", ...more] = quoted;
          const cause = new Error(`no connection to ${more.join(" and ")}`);
          throw Object.assign(new Error(`with ${secret}`, { cause }), {
            detail: `(${quoted.join(", ")})`,
            query: { values: quoted },
          });
        },
      }),
    });
    const key = Buffer.from(TEST_MASTER_KEY, "base64").toString("hex");
    quoted = [service.signer.secret, signature, `Bearer ${OPERATOR_TOKEN}`, TEST_MASTER_KEY];
    quoted = [...quoted, key, URL_OF_IT, PASSWORD];
    const reply = await service.get("positions");
    expect([reply.status, reply.json()]).toEqual([500, { error: "Internal error" }]);
    const log = service.logged.join("");
    expect(log).toContain("no connection to");
    expect(log).toContain("db.internal");
    const escaped = [PASSWORD, encodeURIComponent(PASSWORD), JSON.stringify(PASSWORD).slice(1, -1)];
    for (const secret of [...quoted.filter((one) => one !== URL_OF_IT), ...escaped]) {
      expect(log).not.toContain(secret);
    }
    for (const line of service.logged) expect(() => JSON.parse(line)).not.toThrow();
    await service.close();
  });

  const SHORT = "too-short-a-token";
  // The last case writes to the log, which only a separate process has.
  test.each([
    ["a master key", { PROPGATE_MASTER_KEY: "1:not-a-master-key-at-all" }, runCli],
    ["a token", { PROPGATE_OPERATOR_TOKEN: SHORT }, runCli],
    ["a database", { PROPGATE_DATABASE_URL: `mysql://u:${SHORT}@h/d` }, runCli],
    ["a server", { PROPGATE_DATABASE_URL: `postgres://u:${SHORT}@127.0.0.1:1/d` }, runCliProcess],
  ])("an unusable setting %s is named without its value", async (_, env, run) => {
    for (const more of [[], ["--json"]]) {
      const dataDir = await mkdtemp(join(tmpdir(), "propgate-secrets-"));
      const given = ["serve", "--port", "0", "--data", dataDir, ...more];
      const { code, stdout, stderr } = await run(given, { env });
      await rm(dataDir, { recursive: true, force: true });
      expect([2, 5]).toContain(code);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/PROPGATE_[A-Z_]+/);
      for (const secret of [SHORT, "not-a-master-key-at-all"]) {
        expect(stderr).not.toContain(secret);
      }
    }
  });

  test.each([
    [["operator", "health", "--url", `http://u:${SHORT}@127.0.0.1:1`]],
    [["migrate", "--database-url", `postgres://u:${SHORT}@127.0.0.1:1/d`]],
    [["journal", "verify", "--offline", "--database-url", `postgres://u:${SHORT}@[/d`]],
  ])("an option of %j is not quoted with its password", async (given) => {
    const env = { PROPGATE_OPERATOR_TOKEN: `${SHORT}-${SHORT}` };
    const { code, stdout, stderr } = await runCli(given, { env });
    expect(code).toBeGreaterThan(0);
    expect(stderr).not.toBe("");
    expect(stdout + stderr).not.toContain(SHORT);
  });
});
