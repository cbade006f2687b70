import type { AuditLine } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { withBrokenTable } from "../../testing/broken-table.ts";
import { createDashboardClient, TEST_PASSWORD } from "../../testing/dashboard-client.ts";
import { type Harness, OWNER, openHarness } from "../../testing/harness.ts";
import { createOperatorClient } from "../../testing/operator-client.ts";
import { createSoftwareAuthenticator } from "../../testing/software-authenticator.ts";

let service: Harness;

beforeAll(async () => {
  service = await openHarness();
  return () => service.close();
});

const NEXT = "another long password";

/** The id of the newest line that `newLines` has returned. */
let seen = 0;
/** The lines of the audit since the last call, oldest first. */
async function newLines(): Promise<readonly AuditLine[]> {
  const { lines } = await service.people.audit.list({ accountId: null, before: null, limit: 1000 });
  const fresh = lines.filter((line) => line.auditId > seen).toReversed();
  seen = lines[0]?.auditId ?? seen;
  return fresh;
}

const short = ({ by, deed, subject, detail, succeeded }: AuditLine) => [
  by,
  deed,
  succeeded ? "done" : "failed",
  subject,
  detail,
];

async function localPage() {
  const origin = `http://localhost:${service.port}`;
  return createDashboardClient({ port: service.port, origin });
}

describe("the audit", () => {
  test("the audit has a line for every action about signing in", async () => {
    await newLines();
    const operator = createOperatorClient(service);
    const added = await operator.data("POST", "/people", { name: "Ann", role: "owner" });
    const link = await operator.data("POST", `/people/${String(added.personId)}/link`);
    const token = String(link.url).split("#")[1] ?? "";
    const page = await localPage();
    await page.data("POST", "/link", { token });
    await page.data("POST", "/link/use", { token, password: TEST_PASSWORD });
    await page.refusal("POST", "/sign-in", { name: "ann", password: "wrong" });
    await page.refusal("POST", "/sign-in", { name: "my password in the name", password: "" });
    await page.refusal("POST", "/sign-in", { name: "ann" });
    await page.data("POST", "/sign-in", { name: "ann", password: TEST_PASSWORD });
    await page.refusal("POST", "/password", { current: "wrong", next: NEXT });
    await page.data("POST", "/password", { current: TEST_PASSWORD, next: NEXT });
    const device = createSoftwareAuthenticator(page.origin);
    const options = await page.data<Parameters<typeof device.create>[0]>(
      "POST",
      "/passkeys/options",
    );
    await page.data("POST", "/passkeys", { label: "Phone", response: device.create(options) });
    const request = await page.data<Parameters<typeof device.get>[0]>(
      ...(["POST", "/sign-in/passkey/options"] as const),
    );
    await page.data("POST", "/sign-in/passkey", { response: device.get(request) });
    await page.data("DELETE", `/passkeys/${device.id}`);
    await page.data("POST", "/sign-out");
    const id = String(added.personId);
    expect((await newLines()).map(short)).toEqual([
      ["operator token root", "people.add", "done", id, "Ann"],
      ["operator token root", "people.link", "done", id, "Ann"],
      ["Ann", "link.use", "done", null, null],
      ["Ann", "sign-in", "failed", null, "Wrong name or password. Passwords are case-sensitive."],
      [
        "unknown caller",
        "sign-in",
        "failed",
        null,
        "Wrong name or password. Passwords are case-sensitive.",
      ],
      ["Ann", "sign-in", "done", null, null],
      ["Ann", "password.change", "failed", null, "current: is not your password"],
      ["Ann", "password.change", "done", null, null],
      ["Ann", "passkey.add", "done", device.id, "Phone"],
      ["Ann", "sign-in.passkey", "done", null, null],
      ["Ann", "passkey.remove", "done", device.id, null],
      ["Ann", "sign-out", "done", null, null],
    ]);
  });

  test("the audit says who, as what, from where and when, and is read page by page", async () => {
    const { audit } = service.people;
    const eve = await service.signIn("owner", { name: "Eve" });
    await eve.refusal("POST", "/sign-in", { name: "eve", password: "wrong" });
    await (await service.signIn("owner", { name: "Adam" })).data("POST", "/sign-out");
    await eve.data("POST", "/sign-out");
    const { lines, before } = await audit.list({ accountId: null, before: null, limit: 2 });
    const last = lines[0]?.auditId ?? 0;
    expect(lines[0]).toEqual({
      auditId: last,
      atMs: service.time.clock.now(),
      by: "Eve",
      role: "owner",
      address: "127.0.0.1",
      deed: "sign-out",
      subject: null,
      accountId: null,
      detail: null,
      succeeded: true,
    });
    expect(before).toBe(last - 1);
    const next = await audit.list({ accountId: null, before, limit: 2 });
    expect(next.lines.map((line) => line.auditId)).toEqual([last - 2, last - 3]);
    const all = { accountId: null, before: null, limit: 1000 };
    const { lines: every, before: end } = await audit.list(all);
    const signIns = every.filter(({ deed }) => deed === "sign-in").map(({ auditId }) => auditId);
    expect(signIns.slice(0, 3)).toEqual([last - 2, last - 3, last - 4]);
    expect(end).toBe(null);
    const ofNew = await audit.list({ ...all, accountId: await service.newAccount() });
    expect(ofNew.lines).toEqual([]);
  });

  test("the audit has what the operator's token does to accounts and keys, and why", async () => {
    await newLines();
    const operator = createOperatorClient(service);
    const { accountId } = await operator.data("POST", "/accounts", { size: 100_000 });
    const { keyId } = await operator.data("POST", "/keys", { accountId, scopes: ["trade:read"] });
    await operator.data("GET", "/accounts");
    await operator.data("POST", `/accounts/${String(accountId)}/eliminate`, {
      reason: "House rules",
    });
    await operator.refusal("POST", `/accounts/${String(accountId)}/promote`, {
      phase: "challenge",
    });
    await operator.data("DELETE", `/keys/${String(keyId)}`);
    const lines = await newLines();
    expect(lines.map((line) => [line.deed, line.accountId, line.detail, line.succeeded])).toEqual([
      ["accounts.open", accountId, null, true],
      ["keys.create", accountId, "trade:read", true],
      ["accounts.eliminate", accountId, "House rules", true],
      ["accounts.promote", accountId, "from challenge", false],
      ["keys.revoke", accountId, null, true],
    ]);
    expect(lines.at(-1)?.subject).toBe(keyId);
  });

  test("the audit is not filled by strangers: what is turned away or malformed leaves no line", async () => {
    await newLines();
    const page = createDashboardClient(service);
    await page.refusal("POST", "/link/use", { token: "x", password: TEST_PASSWORD });
    await page.refusal("POST", "/sign-in", {});
    await page.refusal("POST", "/sign-out");
    for (let count = 0; count < 9; count += 1) {
      await page.refusal("POST", "/sign-in", { name: "guessed", password: "wrong" });
    }
    expect((await newLines()).map((line) => line.deed)).toEqual(Array(6).fill("sign-in"));
  });

  test("the audit that cannot be written undoes nothing: the deed is done, and the log says it loudly", async () => {
    const ann = await service.signIn("owner", { name: "Loud" });
    await withBrokenTable(service.database, "audit", async () => {
      expect(await ann.data("POST", "/sign-out")).toEqual({});
    });
    const errors = service.logged
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level }) => level === 50);
    expect(errors.at(-1)).toMatchObject({
      msg: "a line of the audit could not be written",
      line: { by: "Loud", deed: "sign-out", succeeded: true },
    });
  });
});

test("a call that fails halfway leaves a line in the audit as well", async () => {
  const owner = await service.signIn("owner");
  await newLines();
  const body = { label: "bot", scopes: ["trade:read"] };
  await withBrokenTable(service.database, "key_usage", async () => {
    const reply = await owner.call("POST", `/accounts/${service.accountId}/keys`, { body });
    expect(reply.status).toBe(500);
  });
  expect((await newLines()).map(short)).toEqual([
    ["owner", "keys.create", "failed", service.accountId, "Internal error; the log has the cause"],
  ]);
});

test("a call that the database rejects after its first step leaves a line in the audit as well", async () => {
  const { personId } =
    (await service.people.roster.add({ name: "Ben", role: "owner", ownerId: OWNER })) ?? {};
  const armed = { method: "POST", body: JSON.stringify({ seconds: 60 }) } as const;
  expect((await service.call("/api/v1/trading/cancel-all-after", armed)).status).toBe(200);
  const operator = await service.signIn("operator");
  await newLines();
  await withBrokenTable(service.database, "journal", async () => {
    const body = { pauseKeys: true };
    const reply = await operator.call("POST", `/operator/people/${personId}/disable`, { body });
    expect([reply.status, reply.json()]).toMatchObject([
      503,
      { error: "The database rejected the command; look at the account, then try again" },
    ]);
  });
  expect((await newLines()).map(short)).toEqual([
    [
      "operator",
      "people.disable",
      "failed",
      personId,
      "The database rejected the command; look at the account, then try again",
    ],
  ]);
});

describe("contains no secret", () => {
  test("no secret is in the log, in the audit or anywhere in the database", async () => {
    const { links, roster } = service.people;
    const person = await roster.add({ name: "Secret", role: "operator", ownerId: null });
    if (person === null) throw new Error("the name is taken");
    const { token } = await links.make(person);
    const page = await localPage();
    const [first, second] = ["zebra crossing one", "zebra crossing two"];
    await page.data("POST", "/link/use", { token, password: first });
    const cookies = [page.cookie()];
    await page.refusal("POST", "/sign-in", { name: first, password: "oops" });
    await page.refusal("POST", "/password", { current: first, next: "short" });
    await page.data("POST", "/password", { current: first, next: second });
    await page.data("POST", "/sign-in", { name: "secret", password: second });
    cookies.push(page.cookie());
    const stored = await Promise.all(
      ["audit", "people", "sessions", "sign_in_links", "sign_in_failures", "passkeys"].map(
        (table) => service.database.query<{ row: string }>(`select t::text as row from ${table} t`),
      ),
    );
    const written = [...service.logged, ...stored.flat().map(({ row }) => row)].join("\n");
    const secrets = [
      token,
      first,
      second,
      "zebra",
      ...cookies.map((one) => one.split("=")[1] ?? ""),
    ];
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(4);
      expect(written.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });
});
