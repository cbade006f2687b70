import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCliProcess } from "../../packages/cli/src/testing/run-cli.ts";
import { SERVICE_PRIVILEGES } from "../../packages/ledger/src/storage/migrations/service-role.ts";
import { createDashboardClient } from "../../packages/server/src/testing/dashboard-client.ts";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { readText } from "../../test/source-tree.ts";
import {
  type NodeGroup,
  openNodeGroup,
  orderRequest,
  PAYOUTS_PATH,
  POSITIONS_PATH,
} from "./node-group.ts";

/**
 * The servers of these tests; null when one is missing. The tests run two nodes whose database role has only the rights
 * that the service needs.
 */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];
const ROLE = `propgate_service_${randomUUID().slice(0, 8)}`;
const PASSWORD = randomUUID();
const NOT_ALLOWED = "42501";

function dataOf({ body }: { readonly body: unknown }): Readonly<Record<string, unknown>> {
  return (body as { readonly data: Readonly<Record<string, unknown>> }).data;
}

const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 200 };
const PENDING = {
  execution_type: "LIMIT",
  trade_pair: "ETHUSD",
  order_type: "LONG",
  value: 100,
  limit_price: 1,
};

describe.skipIf(postgres === null || nats === null)(
  "a service whose role may not change stored history",
  () => {
    let two: NodeGroup;
    let role: pg.Client;
    const asOwner = (statement: string) => two.database.query(statement);

    beforeAll(async () => {
      two = await openNodeGroup(postgres ?? "", { prepare });
      role = new pg.Client({ connectionString: urlOf(two.database.url) });
      await role.connect();
    });
    afterAll(async () => {
      await role?.end();
      await two?.stop();
      await asOwner(`drop owned by ${ROLE}`);
      await asOwner(`drop role ${ROLE}`);
      await two?.close();
    });

    /** Sets the database up as an operator does; resolves with the URL of the service's role. */
    async function prepare(database: NodeGroup["database"]): Promise<string> {
      await database.query("drop schema public cascade; create schema public");
      await database.query(`create role ${ROLE} login password '${PASSWORD}'`);
      const env = { PROPGATE_MIGRATION_DATABASE_URL: database.url };
      const early = await runCliProcess(["serve", "--port", "0"], {
        env: { PROPGATE_DATABASE_URL: urlOf(database.url) },
      });
      expect([early.code, early.stdout]).toEqual([5, ""]);
      expect(early.stderr).toContain("run npm run propgate -- migrate first");
      const done = await runCliProcess(["migrate", "--grant-to", ROLE, "--json"], { env });
      expect(done.stderr).toBe("");
      expect(JSON.parse(done.stdout)).toEqual({
        schema: expect.any(Number),
        databases: 1,
        grantedTo: ROLE,
      });
      return urlOf(database.url);
    }

    test("the role can do everything that the service needs", async () => {
      const trader = await two.newTrader();
      const statuses = [
        await two.send(0, trader, orderRequest({ ...MARKET, stop_loss: 1 })),
        await two.send(1, trader, orderRequest(PENDING)),
        await two.send(
          0,
          trader,
          orderRequest({ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" }),
        ),
        await two.send(1, trader, orderRequest({ execution_type: "FLAT_ALL" })),
        await two.send(1, trader, { target: "/api/v1/trading/account" }),
        await two.send(0, trader, { target: POSITIONS_PATH }),
        await two.send(0, trader, { target: "/api/v1/trading/orders" }),
        await two.send(0, trader, { target: "/api/v1/trading/trades" }),
        await two.send(0, trader, { target: PAYOUTS_PATH }),
      ].map(({ status }) => status);
      expect(statuses).toEqual(statuses.map(() => 200));
      const refused = await two.send(0, trader, orderRequest({ execution_type: "NO_SUCH_TYPE" }));
      expect(refused.status).toBe(400);

      const calls: readonly (readonly [string, unknown?])[] = [
        ["GET /health"],
        ["GET /programs"],
        ["GET /payouts"],
        ["POST /journal/verify", {}],
        ["POST /webhooks", { url: "https://example.invalid/hook" }],
        ["POST /keys/rekey", {}],
        [`DELETE /keys/${trader.keyId}`],
        [`POST /accounts/${trader.accountId}/promote`, { phase: "challenge" }],
        [`POST /accounts/${trader.accountId}/eliminate`, { reason: "TEST" }],
      ];
      for (const [call, body] of calls) {
        const { status } = await two.operate(1, call, body);
        expect([call, status]).toEqual([call, 200]);
      }
      const { items } = dataOf(await two.operate(1, "GET /webhooks")) as {
        readonly items: readonly { readonly id: string }[];
      };
      for (const { id } of items) {
        for (const call of [`POST /webhooks/${id}/test`, `DELETE /webhooks/${id}`]) {
          const { status } = await two.operate(1, call, {});
          expect([call, status]).toEqual([call, 200]);
        }
      }
    });

    test("a person signs in on one node and is signed in on both", async () => {
      const added = await two.operate(0, "POST /people", { name: "Ann", role: "operator" });
      const { personId } = dataOf(added);
      const link = await two.operate(1, `POST /people/${String(personId)}/link`, {});
      const token = String(dataOf(link).url).split("#")[1];
      const open = () =>
        two.nodes.map((node) => {
          const origin = node.baseUrl;
          return createDashboardClient({ port: Number(new URL(origin).port), origin });
        });
      const [firstPage, secondPage] = open();
      // Browsers without an earlier sign-in. Their failed attempts are counted separately.
      const [firstStranger, secondStranger] = open();
      if (firstPage === undefined || secondPage === undefined) throw new Error("a node is missing");
      if (firstStranger === undefined || secondStranger === undefined)
        throw new Error("a node is missing");
      await firstPage.data("POST", "/link/use", { token, password: "long enough by far" });
      const cookie = { headers: { Cookie: firstPage.cookie() } };
      expect((await secondPage.call("GET", "/session", cookie)).status).toBe(200);
      const attempt = (page: typeof firstPage, password: string) =>
        page.refusal("POST", "/sign-in", { name: "ann", password }).then(([status]) => status);
      const answers: number[] = [];
      for (let count = 0; count < 7; count += 1) {
        const page = count % 2 === 0 ? firstStranger : secondStranger;
        answers.push(await attempt(page, "not the password"));
      }
      expect(answers).toEqual([401, 401, 401, 401, 401, 401, 429]);
      expect((await secondPage.call("POST", "/sign-out", cookie)).status).toBe(200);
      expect((await firstPage.call("GET", "/session", cookie)).status).toBe(401);
      const disabled = await two.operate(0, `POST /people/${String(personId)}/disable`, {});
      expect(dataOf(disabled)).toMatchObject({ name: "Ann", disabledAtMs: expect.any(Number) });
      const { rows } = await role.query<{ deed: string }>(
        "select deed from audit where by_name = 'Ann' order by audit_id",
      );
      expect(rows.map(({ deed }) => deed)).toEqual([
        "link.use",
        ...Array.from({ length: 6 }, () => "sign-in"),
        "sign-out",
      ]);
    });

    test("the service rebuilds its projections from the journal", async () => {
      const trader = await two.newTrader();
      expect((await two.send(0, trader, orderRequest(MARKET))).status).toBe(200);
      expect((await two.send(0, trader, orderRequest({ execution_type: "FLAT_ALL" }))).status).toBe(
        200,
      );
      await two.database.query("update trades set trade = '{}' where account_id = $1", [
        trader.accountId,
      ]);
      const rebuilt = await two.operate(0, "POST /journal/rebuild", { write: true });
      expect(rebuilt).toMatchObject({ status: 200 });
      const again = await two.operate(0, "POST /journal/rebuild", {});
      expect(again).toMatchObject({ status: 200, body: { data: { different: [] } } });
    });

    test.each([
      "update journal set event = event",
      "delete from journal",
      "truncate journal",
      "alter table journal disable trigger all",
      "drop table journal",
      "update nonces set used_at_ms = 0",
      "delete from nonces",
      "delete from nonces_0",
      "update programs set document = document",
      "delete from programs",
      "update audit set by_name = 'x'",
      "delete from audit",
      "delete from people",
      "delete from keys",
      "delete from accounts",
      "update schema_migrations set number = number",
      "create table mine (id integer)",
      "alter table keys add column mine text",
      "grant update on journal to current_user",
    ])("the database refuses %s", async (statement) => {
      const outcome = await role.query(statement).then(
        () => "done",
        (cause: unknown) => (cause instanceof pg.DatabaseError ? cause.code : cause),
      );
      // PostgreSQL only warns about a grant of a right that the role lacks; the grant has no effect.
      if (statement.startsWith("grant")) {
        const { rows } = await role.query(
          "select has_table_privilege(current_user, 'journal', 'update') as may",
        );
        expect(rows).toEqual([{ may: false }]);
      } else expect(outcome).toBe(NOT_ALLOWED);
    });

    test("the role has exactly the listed privileges on every table", async () => {
      const { rows } = await role.query<{ name: string; may: string }>(
        `select table_name as name, string_agg(lower(privilege_type), ', ' order by
         array_position(array['SELECT', 'INSERT', 'UPDATE', 'DELETE'], privilege_type::text)) as may
       from information_schema.role_table_grants where grantee = current_user
       group by table_name order by table_name`,
      );
      expect(rows.map(({ name, may }) => [name, may])).toEqual(SERVICE_PRIVILEGES);
      const tables = await two.database.query<{ name: string }>(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind in ('r', 'p') and not relispartition order by relname`,
        [],
      );
      expect(tables.map(({ name }) => name)).toEqual(SERVICE_PRIVILEGES.map(([name]) => name));
    });

    test("migrate refuses to grant to a superuser or to a role that does not exist", async () => {
      const env = { PROPGATE_DATABASE_URL: two.database.url };
      const [owner] = await two.database.query<{ name: string }>("select current_user as name", []);
      for (const [name, why] of [
        [owner?.name ?? "", "no grant can limit it"],
        ["unknown_role", "There is no role"],
      ] as const) {
        const { code, stderr } = await runCliProcess(["migrate", "--grant-to", name], { env });
        expect(code).toBe(5);
        expect(stderr).toContain(why);
      }
    });
  },
);

test("the guide lists the same privileges", () => {
  const privileges = new Map<string, string>();
  const lines = readText("docs/guides/security.md").matchAll(/^grant (.+) on (.+) to /gm);
  for (const [, may = "", tables = ""] of lines) {
    for (const table of tables.split(", ")) privileges.set(table, may);
  }
  privileges.delete("schema public");
  privileges.delete("function merge_nonces");
  expect(privileges).toEqual(new Map(SERVICE_PRIVILEGES));
});

function urlOf(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = ROLE;
  url.password = PASSWORD;
  return url.href;
}
