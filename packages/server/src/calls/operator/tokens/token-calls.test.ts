import { connect } from "node:net";
import type { AuditLine, OperatorPage } from "@propgate/contract";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import { createDashboardClient } from "../../../testing/dashboard-client.ts";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../testing/harness.ts";
import { createOperatorClient, type OperatorAnswer } from "../../../testing/operator-client.ts";

const HOUR_MS = 3_600_000;
const PROXY = "127.0.0.1";

let service: Harness;
beforeAll(async () => {
  service = await openHarness({ trustedProxies: [PROXY] });
  return () => service.close();
});

const root = () => createOperatorClient(service);

async function make(name: string, expiresInHours = 1): Promise<string> {
  return String((await root().data("POST", "/tokens", { name, expiresInHours })).token);
}

type Call = readonly [method: string, path: string, body?: unknown];

function callWith(token: string | null, ...call: Call | []) {
  const [method = "GET", path = "/accounts", body] = call;
  return root().call(method, path, { token, body });
}

async function lines(deed: string): Promise<readonly AuditLine[]> {
  const page: unknown = await root().data("GET", `/audit?deed=${deed}`);
  return (page as OperatorPage<AuditLine>).items;
}

describe("named operator tokens", () => {
  test("a named token operates the service until it is revoked, and the audit has its name", async () => {
    const token = await make("billing");
    const opened = await callWith(token, "POST", "/accounts", { size: 100_000 });
    expect(opened.status).toBe(200);
    const [line] = await lines("accounts.open");
    expect(line).toMatchObject({ by: "operator token billing", role: "operator" });
    const [added] = await lines("tokens.add");
    expect(added).toMatchObject({ by: "operator token root", subject: "billing" });
    expect(JSON.stringify(await root().data("GET", "/tokens"))).not.toContain(token);
    expect(service.logged.join("")).not.toContain(token);
    await root().data("DELETE", "/tokens/billing");
    expect((await callWith(token)).status).toBe(401);
    const again = await root().call("DELETE", "/tokens/billing");
    expect([again.status, again.body.error]).toEqual([404, "Token not found, or revoked before"]);
  });

  test("a named token expires", async () => {
    const token = await make("nightly", 2);
    await service.time.pass(2 * HOUR_MS - 1);
    expect((await callWith(token)).status).toBe(200);
    await service.time.pass(1);
    const answer = await callWith(token);
    expect([answer.status, answer.body.error]).toEqual([401, "Operator token missing or wrong"]);
  });

  test("a named token cannot create another access: no token and no operator", async () => {
    const token = await make("limited", 8);
    const owner = await service.signIn("owner");
    const operator = await service.signIn("operator");
    const id = operator.person.personId;
    const refused: readonly (readonly [method: string, path: string, body: unknown])[] = [
      ["POST", "/tokens", { name: "second", expiresInHours: 1 }],
      ["DELETE", "/tokens/limited", undefined],
      ["POST", "/people", { name: "mallory", role: "operator" }],
      ["POST", `/people/${id}/link`, {}],
      ["POST", `/people/${id.toUpperCase()}/link`, {}],
      ["POST", `/people/${id}/enable`, {}],
    ];
    for (const [method, path, body] of refused) {
      expect((await callWith(token, method, path, body)).status, `${method} ${path}`).toBe(403);
    }
    expect((await callWith(token, "GET", "/tokens")).status).toBe(200);
    expect((await callWith(token, "POST", "/people", { name: "ann", role: "owner" })).status).toBe(
      200,
    );
    const link = await callWith(token, "POST", `/people/${owner.person.personId}/link`, {});
    expect(link.status).toBe(200);
  });

  test("an operator who is signed in adds and revokes them", async () => {
    const operator = await service.signIn("operator");
    const made = await operator.data("POST", "/operator/tokens", {
      name: "from-console",
      expiresInHours: 1,
    });
    expect(made.createdBy).toBe("operator");
    expect((await callWith(String(made.token))).status).toBe(200);
    await operator.data("DELETE", "/operator/tokens/from-console");
    expect((await callWith(String(made.token))).status).toBe(401);
    const anonymous = await createDashboardClient(service).refusal("GET", "/operator/tokens");
    expect(anonymous).toEqual([401, "Not signed in"]);
  });

  test.each([
    [{}, "name: is required"],
    [{ name: "root", expiresInHours: 1 }, "name: must not be root"],
    [{ name: "CI", expiresInHours: 1 }, "name: must be 1 to 40 lower-case letters"],
    [{ name: "a b", expiresInHours: 1 }, "name: must be 1 to 40 lower-case letters"],
    [{ name: "x".repeat(41), expiresInHours: 1 }, "name: must be 1 to 40"],
    [{ name: "ok" }, "expiresInHours: is required"],
    [{ name: "ok", expiresInHours: 0 }, "expiresInHours: must be whole hours from 1 to 8784"],
    [{ name: "ok", expiresInHours: 1.5 }, "expiresInHours: must be whole hours from 1 to 8784"],
    [{ name: "ok", expiresInHours: 8_785 }, "expiresInHours: must be whole hours from 1 to 8784"],
    [{ name: "ok", expiresInHours: 1, scope: 1 }, "scope: no such field"],
  ])("a call for a token with %j answers 400, and the field is named", async (body, problem) => {
    const [status, error] = await root().refusal("POST", "/tokens", body);
    expect([status, String(error).slice(0, problem.length)]).toEqual([400, problem]);
  });
});

describe("calls under way [D12.callsUnderWay]", () => {
  /** Sends the head of a call, but never its body. */
  const hold = (token: string, path: string) => {
    const lines = [
      `POST /operator/v1${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      `Authorization: Bearer ${token}`,
      "Content-Length: 2",
    ];
    const socket = connect(service.port, "127.0.0.1");
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    return socket;
  };

  test("a token has 16 at most, and a call that ends makes room for another", async () => {
    const [busy, other] = [await make("busy", 8), await make("other", 8)];
    const calls = Array.from({ length: 16 }, () => hold(busy, "/journal/verify"));
    const status = async () => (await callWith(busy)).status;
    await eventually(async () => {
      const answered = await status();
      // The call of `status` may have counted among the 16 calls, so that a held call was refused.
      if (answered !== 429) calls.push(hold(busy, "/journal/verify"));
      expect(answered).toBe(429);
    });
    const { body, headers } = await callWith(busy);
    expect([body.code, headers.get("retry-after")]).toEqual(["too_many", "1"]);
    expect((await callWith(other)).status).toBe(200);
    for (const call of calls) call.destroy();
    await eventually(async () => expect(await status()).toBe(200));
  });

  test("two of them may be files", async () => {
    const busy = await make("files", 8);
    const files = [hold(busy, "/backup"), hold(busy, "/backup")];
    // The service cannot be closed while they are open, also when an expectation fails.
    onTestFinished(() => {
      for (const one of files) one.destroy();
    });
    const file = async () => {
      const answer = await fetch(`http://127.0.0.1:${service.port}/operator/v1/events?format=csv`, {
        headers: { Authorization: `Bearer ${busy}` },
      });
      await answer.text();
      return answer.status;
    };
    await eventually(async () => {
      const answered = await file();
      if (answered !== 429) files.push(hold(busy, "/backup"));
      expect(answered).toBe(429);
    });
    const evidence = await callWith(busy, "GET", `/accounts/${service.accountId}/evidence`);
    expect([evidence.status, evidence.body.code]).toEqual([429, "too_many"]);
    expect((await callWith(busy, "GET", "/events")).status).toBe(200);
    for (const one of files) one.destroy();
    await eventually(async () => expect(await file()).toBe(200));
  });
});

describe("wrong operator tokens", () => {
  const from = (address: string, token: string): Promise<OperatorAnswer> =>
    fetch(`http://127.0.0.1:${service.port}/operator/v1/accounts`, {
      headers: { Authorization: `Bearer ${token}`, "X-Forwarded-For": address },
    }).then(async ({ status, headers, ...rest }) => ({ status, headers, ...rest, body: {} }));
  const guess = "op_guess_0123456789abcdef012345678";

  test("ten a minute are checked for each network, then a chosen token must wait", async () => {
    const made = await make("steady", 8);
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      statuses.push((await from(`2001:db8:1:2::${index + 1}`, guess)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    const waits = await from("2001:db8:1:2::99", OPERATOR_TOKEN);
    expect([waits.status, waits.headers.get("retry-after")]).toEqual([429, "60"]);
    // A token that the service made cannot be guessed, so it is still checked.
    expect((await from("2001:db8:1:2::99", made)).status).toBe(200);
    expect((await from("2001:db8:1:3::1", OPERATOR_TOKEN)).status).toBe(200);
    await service.time.pass(60_000);
    expect((await from("2001:db8:1:2::99", OPERATOR_TOKEN)).status).toBe(200);
  });

  test("calls without a token are refused and delay no other client", async () => {
    const statuses = await Promise.all(Array.from({ length: 30 }, () => callWith(null)));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await callWith(OPERATOR_TOKEN)).status).toBe(200);
  });

  test("a flood leaves one line of the log a second and one of the audit a minute", async () => {
    // Refusals of earlier tests are written first, and then a second passes without any.
    await service.time.pass(120_000);
    await service.time.pass(1_000);
    const before = service.logged.length;
    const audited = (await lines("token.refused")).length;
    const refusedLines = () =>
      service.logged
        .slice(before)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ audit }) => audit === "refused");
    await Promise.all(Array.from({ length: 40 }, () => from("198.51.100.9", guess)));
    expect(refusedLines()).toMatchObject([{ count: 1, from: "198.51.100.9", status: 401 }]);
    await service.time.pass(1_000);
    expect(refusedLines().map(({ count }) => count)).toEqual([1, 39]);
    await from("203.0.113.3", guess);
    await service.time.pass(1_000);
    await service.time.pass(1_000);
    expect(refusedLines().map(({ count }) => count)).toEqual([1, 39, 1]);
    const written = await lines("token.refused");
    expect(written.length).toBe(audited + 1);
    expect(written[0]).toMatchObject({
      by: "unknown caller",
      role: "none",
      address: "198.51.100.9",
    });
  });
});

test("the operator's own listener serves nothing else, and the other one nothing of it", async () => {
  const apart = await openHarness({ isOperatorApart: true });
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
  const at = async (port: number | null, path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status;
  try {
    const paths = [
      "/operator/v1/accounts",
      "/health",
      "/api/v1/time",
      "/dashboard/v1/session",
      "/",
    ];
    const own = await Promise.all(paths.map((path) => at(apart.operatorPort, path)));
    expect(own).toEqual([200, 404, 404, 404, 404]);
    const main = await Promise.all(paths.map((path) => at(apart.port, path)));
    expect(main).toEqual([404, 200, 200, 401, 404]);
    expect(
      (await fetch(`http://127.0.0.1:${apart.operatorPort}/operator/v1/accounts`)).status,
    ).toBe(401);
    const operator = await apart.signIn("operator");
    expect(await operator.data("GET", "/operator/tokens")).toMatchObject({ items: [] });
  } finally {
    await apart.close();
  }
});
