import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../server/src/testing/harness.ts";
import { type CliResult, runCli } from "../testing/run-cli.ts";
import { createOperatorCommand, printedJson } from "../testing/run-operator.ts";

let service: Harness;
let baseUrl = "";
let folder = "";

beforeAll(async () => {
  service = await openHarness();
  baseUrl = `http://127.0.0.1:${service.port}`;
  folder = await mkdtemp(join(tmpdir(), "propgate-cli-"));
  await writeFile(join(folder, "operator.token"), `${OPERATOR_TOKEN}\n`, { mode: 0o600 });
  return async () => {
    await service.close();
    await rm(folder, { recursive: true });
  };
});

const operator = createOperatorCommand(() => baseUrl);

const answer = (...given: readonly string[]): Promise<Record<string, unknown>> =>
  printedJson(operator(...given, "--json"));

describe("propgate operator", () => {
  test("audit verify proves a noted head and ends with 1 for another [D10.auditChained]", async () => {
    await answer("accounts", "open", "--size", "50000");
    const health = await answer("health");
    const { auditId, hash } = health.audit as { readonly auditId: number; readonly hash: string };
    const verified = await operator("audit", "verify", "--head", `${auditId}:${hash}`);
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringContaining("No line was altered."),
    ]);
    const other = await operator("audit", "verify", "--head", `${auditId}:${"0".repeat(64)}`);
    expect([other.code, other.stdout]).toEqual([
      1,
      expect.stringMatching(/^Line \d+: the line, or one before it, is not the one whose hash/m),
    ]);
    expect((await operator("audit", "verify", "--head", "41")).code).toBe(2);
  });

  test("propgate operator opens an account, gives it a key that works, and revokes it [D8.keyDesk]", async () => {
    const { accountId } = await answer("accounts", "open", "--size", "50000");
    const given = ["--account", String(accountId), "--scope", "trade:read", "--label", "desk"];
    const made = await answer("keys", "create", ...given);
    const signer = { keyId: String(made.keyId), secret: String(made.secret) };
    const read = await service.get("account", { signer });
    expect(read.status).toBe(200);
    const listed = await operator("keys", "list", "--account", String(accountId));
    expect(listed.stdout).toContain(signer.keyId);
    expect(listed.stdout).not.toContain(signer.secret);
    expect((await operator("keys", "revoke", signer.keyId)).stdout).toBe(
      `${signer.keyId} revoked\n`,
    );
    expect((await service.get("account", { signer })).status).toBe(401);
    const again = await operator("keys", "revoke", signer.keyId);
    expect([again.code, again.stderr]).toEqual([1, "propgate: Key not found, or revoked before\n"]);
  });

  test("propgate operator opens an account for an owner without accounts and people only with --new-owner [D13.newOwner]", async () => {
    const create = ["accounts", "open", "--size", "50000", "--owner", "newcomer"] as const;
    const slip = await operator(...create);
    expect([slip.code, slip.stderr]).toEqual([
      2,
      "propgate: --owner: no account and no person has the owner newcomer\n  Check the id, or add --new-owner.\n",
    ]);
    expect(await answer(...create, "--new-owner")).toMatchObject({ newOwner: true });
    expect(await answer(...create)).toMatchObject({ newOwner: false });
    const add = ["people", "add", "Waits", "--owner", "waits-for-one"] as const;
    await answer(...add);
    const waiting = ["accounts", "open", "--size", "50000", "--owner", "waits-for-one"] as const;
    expect(await answer(...waiting)).toMatchObject({ newOwner: false });
    expect(await answer("accounts", "open", "--size", "50000")).toMatchObject({ newOwner: true });
  });

  test.each([
    [["accounts", "promote", "3ee5ef08", "--phase", "challenge"], "<account-id>"],
    [["accounts", "close", "3ee5ef08"], "<account-id>"],
    [["accounts", "provision", "3ee5ef08"], "<account-id>"],
    [["keys", "create", "--account", "3ee5ef08"], "--account"],
    [["keys", "list", "--account", "3ee5ef08"], "--account"],
    [["tokens", "add", "robot", "--expires", "0h"], "--expires"],
    [["accounts", "open", "--size", "1"], "--size"],
  ] as const)("%j with a wrong value ends with 2 and names what was typed", async (given, name) => {
    const { code, stderr } = await operator(...given);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^propgate: ${name}[: ]`));
  });

  test("a key has both scopes unless told otherwise, and its secret is ready to paste", async () => {
    const opened = await operator("accounts", "open", "--size", "100000");
    const [, accountId = ""] = /^account {2}(\S+)\n/.exec(opened.stdout) ?? [];
    // The command is printed as a user types it in a checkout, because this test runs in one.
    expect(opened.stdout).toContain(
      `  npm run propgate -- operator keys create --account ${accountId}\n`,
    );
    const { stdout } = await operator("keys", "create", "--account", String(accountId));
    expect(stdout).toMatch(/export PROPGATE_KEY_ID=pk_[0-9A-Za-z]{20}\n/);
    expect(stdout).toMatch(/export PROPGATE_SECRET=propgate_sk_\S{49}\n/);
    expect(stdout).toContain("trade:read,trade:place");
  });

  test("propgate operator lists accounts in a table that fits 80 columns", async () => {
    const { stdout } = await operator("accounts", "list");
    expect(stdout).toMatch(/^ACCOUNT +STATUS +PHASE +SIZE +BALANCE\n/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("lists without rows have the header of lists with rows as CSV", async () => {
    const { accountId } = await answer("accounts", "open", "--size", "50000");
    const headOf = async (...given: readonly string[]): Promise<string> =>
      (await operator(...given, "--csv")).stdout.split("\r\n")[0] ?? "";
    const without = await headOf("keys", "list", "--account", String(accountId));
    await answer("keys", "create", "--account", String(accountId));
    expect(without).toBe(await headOf("keys", "list"));
    expect(without).toMatch(/^keyId,accountId,/);
    expect(await headOf("payouts", "list")).toMatch(/^id,periodStartMs,.*,programId$/);
  });

  test("propgate operator provisions, eliminates and closes accounts", async () => {
    const opened = await answer("accounts", "open", "--size", "100000", "--no-provisioned");
    const id = String(opened.accountId);
    expect((await operator("accounts", "provision", id)).stdout).toBe(`${id} provisioned\n`);
    expect((await operator("accounts", "provision", id)).code).toBe(1);
    const ended = await operator("accounts", "eliminate", id, "--reason", "House rules");
    expect(ended.stdout).toBe(`${id} eliminated\n`);
  });

  test("a promotion needs the phase that the operator saw, and a repeated one changes nothing [D13.phaseSeen]", async () => {
    const opened = await answer("accounts", "open", "--size", "100000");
    const id = String(opened.accountId);
    const unseen = await operator("accounts", "promote", id);
    expect([unseen.code, unseen.stderr]).toEqual([2, expect.stringContaining("--phase")]);
    const promote = ["accounts", "promote", id, "--phase", "challenge"];
    expect((await operator(...promote)).stdout).toBe(`${id} promoted\n`);
    const text = "The account is in the phase funded now; read it again";
    const retried = await operator(...promote);
    expect([retried.code, retried.stderr]).toEqual([1, `propgate: ${text}\n`]);
    const closed = await operator("accounts", "close", id, "--phase", "transition");
    expect([closed.code, closed.stderr]).toEqual([1, `propgate: ${text}\n`]);
    expect((await operator("accounts", "close", id, "--phase", "alpha")).code).toBe(2);
  });

  test("a subaccount cannot be linked without a validator", async () => {
    const link = [
      "accounts",
      "link",
      "--subaccount",
      "entity_0",
      "--owner",
      "trader-1",
      "--new-owner",
    ] as const;
    const { code, stderr } = await operator(...link, "--split", "80");
    expect(code).toBe(1);
    expect(stderr).toContain("PROPGATE_NETWORK is not vanta");
  });

  test("propgate operator proves and rebuilds the journal of the running service", async () => {
    const run = (name: string): Promise<CliResult> =>
      runCli(["journal", name, "--url", baseUrl, "--data", folder]);
    const proof = await run("verify");
    expect([proof.code, proof.stdout.split("\n").at(-2)]).toEqual([0, "No line was altered."]);
    const rebuilt = await run("rebuild");
    expect([rebuilt.code, rebuilt.stdout.split("\n").at(-2)]).toEqual([
      0,
      "All stored data matches the journals.",
    ]);
  });
});

describe("what goes wrong ends with a code of its own and says what to do", () => {
  test("a call of the operator without a token ends with 4", async () => {
    const { code, stderr } = await runCli(["operator", "accounts", "list", "--data", "/nowhere"]);
    expect(code).toBe(4);
    expect(stderr).toContain("PROPGATE_OPERATOR_TOKEN");
  });

  test("a call of the operator with another service's token ends with 4", async () => {
    const { code, stderr } = await runCli(["operator", "health", "--url", baseUrl], {
      env: { PROPGATE_OPERATOR_TOKEN: "op_another_0123456789abcdef01234" },
    });
    expect([code, stderr.split("\n")[0]]).toEqual([4, "propgate: Operator token missing or wrong"]);
  });

  test("an operator's command without a service ends with 3", async () => {
    const env = { PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN };
    const { code, stderr } = await runCli(["operator", "health", "--url", "http://127.0.0.1:9"], {
      env,
    });
    expect(code).toBe(3);
    expect(stderr).toContain("npm run propgate -- serve");
  });

  test("a wrong value: 2, and the field is named", async () => {
    const size = await operator("accounts", "open", "--size", "-5");
    expect([size.code, size.stderr]).toEqual([2, "propgate: --size: must be a number above 0\n"]);
    const scope = await operator(
      "keys",
      "create",
      "--account",
      service.accountId,
      "--scope",
      "all",
    );
    expect(scope.code).toBe(2);
    expect(scope.stderr).toContain("trade:read, trade:place");
    const expires = await operator(
      "keys",
      "create",
      "--account",
      service.accountId,
      "--expires",
      "soon",
    );
    expect([expires.code, expires.stderr.split("\n")[0]]).toEqual([
      2,
      "propgate: --expires is not a date: soon",
    ]);
  });

  test("a call of the operator for an unknown account ends with 1", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    const { code, stderr } = await operator("keys", "create", "--account", id);
    expect([code, stderr]).toEqual([1, "propgate: Account not found\n"]);
  });
});
