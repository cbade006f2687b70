import { connect, type Socket } from "node:net";
import { IDEMPOTENCY_HEADER } from "@propgate/contract";
import { beforeEach, expect, test } from "vitest";
import { until } from "../../../../../../test/eventually.ts";
import type { Database } from "../../../../../ledger/src/storage/databases/database.ts";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../testing/harness.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";

const CSV = "size\n100000\n100000\n";

/** Runs before the statement that writes the audit. */
let beforeAudit: () => Promise<void>;
let service: Harness;
/** True once the server has noticed that a client has disconnected. */
let isGone: boolean;

function withAudit(database: Database): Database {
  return {
    ...database,
    async query(text, parameters, use) {
      if (text.startsWith("insert into audit")) await beforeAudit();
      return database.query<never>(text, parameters, use);
    },
  };
}

beforeEach(async () => {
  beforeAudit = () => Promise.resolve();
  isGone = false;
  service = await openHarness({
    database: withAudit(await openTestDatabase()),
    mount: ({ app }) => {
      app.server.on("connection", (socket) =>
        socket.on("close", () => {
          isGone = true;
        }),
      );
    },
  });
  return () => service.close();
});

const url = () => `http://127.0.0.1:${service.port}/operator/v1/accounts/bulk`;
const HEADERS = {
  Authorization: `Bearer ${OPERATOR_TOKEN}`,
  "Content-Type": "text/csv",
  [IDEMPOTENCY_HEADER]: "k",
};

async function sendBulk() {
  const response = await fetch(url(), { method: "POST", headers: HEADERS, body: CSV });
  const text = await response.text();
  const statuses = text.split("\n").slice(0, -1);
  return { status: response.status, rows: statuses.map((one) => JSON.parse(one).status), text };
}

/** Sends the bulk on a connection that the test can cut. */
function openBulk(): Socket {
  const socket = connect(service.port, "127.0.0.1");
  const lines = Object.entries({ ...HEADERS, Host: "here", "Content-Length": CSV.length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`POST /operator/v1/accounts/bulk HTTP/1.1\r\n${head}\r\n${CSV}`);
  return socket;
}

async function isRunning(): Promise<boolean> {
  const rows = await service.database.query<{ readonly state: string }>(
    "select state from idempotency_keys where key = 'k' and row_number = 0",
    [],
  );
  return rows[0]?.state === "running";
}

test("a bulk whose client is gone before the first byte of its answer can be repeated immediately [D12.repeatedWrites]", async () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  beforeAudit = () => {
    reached.resolve();
    return held.promise;
  };
  const socket = openBulk();
  await reached.promise;
  expect(await isRunning()).toBe(true);
  socket.resetAndDestroy();
  await until(() => isGone);
  beforeAudit = () => Promise.resolve();
  held.resolve();
  await until(async () => !(await isRunning()));
  expect(await sendBulk()).toMatchObject({ status: 200, rows: [200, 200] });
});
