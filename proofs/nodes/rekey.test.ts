import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createSecretBox, type SecretBox } from "../../packages/access/src/keys/seal-secret.ts";
import type { StoredKey } from "../../packages/access/src/storage/api-key.ts";
import { createKeyStore } from "../../packages/access/src/storage/key-store.ts";
import { parseMasterKeys } from "../../packages/base/src/keys/master-key.ts";
import { systemChance } from "../../packages/base/src/random.ts";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { until } from "../../test/eventually.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import { type NodeAnswer, type NodeGroup, openNodeGroup, orderRequest } from "./node-group.ts";

/**
 * The servers of these tests; null when one is missing. The tests re-key to another master key while two nodes serve,
 * and kill a node before the re-keying is complete.
 */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];
const OLD = randomBytes(32).toString("base64");
const NEW = randomBytes(32).toString("base64");
const BOTH = `1:${OLD},2:${NEW}`;
const KEYS = 3_000;
/** A request that uses no read budget and does not change the account. */
const NOTHING = orderRequest({ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" });
/** The number of keys that the load uses one after the other. */
const USED = 40;

describe.skipIf(postgres === null || nats === null)("re-keying while two nodes serve", () => {
  let two: NodeGroup;
  let traders: readonly Trader[] = [];
  beforeEach(async () => {
    two = await openNodeGroup(postgres ?? "", { settings: { PROPGATE_MASTER_KEY: `1:${OLD}` } });
    traders = await manyKeys(two);
    return () => two.close();
  });
  const restartBoth = async (masterKey: string): Promise<void> => {
    await two.restart(0, { PROPGATE_MASTER_KEY: masterKey });
    await two.restart(1, { PROPGATE_MASTER_KEY: masterKey });
  };

  test("re-keying that is killed and run again loses no key, and no request fails [D8.rekey]", async () => {
    const sealed = async (version: number): Promise<number> =>
      (await createKeyStore(two.database).countBySealVersion()).get(version) ?? 0;
    const all = await sealed(1);
    expect(all).toBeGreaterThan(KEYS);
    await restartBoth(BOTH);

    const load = startLoad((index) => two.send(1, traders[index % USED] ?? fault(), NOTHING));
    // The re-keying stops halfway, at the locked row of a later page.
    const held = traders[Math.floor(KEYS / 2)]?.keyId ?? "";
    await two.database.transaction(async (transaction) => {
      await transaction.query("select 1 from keys where key_id = $1 for update", [held]);
      const cut = two.operate(0, "POST /keys/rekey", {}).catch(() => "cut");
      await until(async () => (await sealed(2)) > 0);
      await two.kill(0);
      expect(await cut).toBe("cut");
    });
    const half = await sealed(2);
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(all);
    await two.restart(0, { PROPGATE_MASTER_KEY: BOTH });

    // Both nodes re-key concurrently, while a key is created.
    const made = await Promise.all([
      two.operate(0, "POST /keys/rekey", {}),
      two.operate(1, "POST /keys/rekey", {}),
      two.newTrader(),
    ]);
    expect(made[0]).toMatchObject({ status: 200, body: { data: { unreadable: [] } } });
    expect(made[1]).toMatchObject({ status: 200, body: { data: { unreadable: [] } } });
    expect(await sealed(1)).toBe(0);
    expect(await sealed(2)).toBe(all + 1);
    const answered = await load.stop();
    expect(answered.length).toBeGreaterThan(USED);
    expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200]));

    // Without the old master key: the new one opens every secret, and no secret has changed.
    await restartBoth(`2:${NEW}`);
    const box = createSecretBox(parseMasterKeys(`2:${NEW}`), systemChance);
    const stored = await createKeyStore(two.database).find(traders.map(({ keyId }) => keyId));
    const opened = new Map(stored.map((key) => [key.keyId, box.open(key.keyId, key.sealedSecret)]));
    expect(traders.filter(({ keyId, secret }) => opened.get(keyId) !== secret)).toEqual([]);
    const answers = await Promise.all(
      traders.slice(USED, USED + 40).map((trader, node) => two.send(node, trader)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  test("a master key that is removed too early is reported at the start, and no key is lost", async () => {
    const trader = traders.at(-1) ?? fault();
    await restartBoth(BOTH);
    expect((await two.operate(0, "POST /keys/rekey", {})).status).toBe(200);
    await restartBoth(`2:${NEW}`);
    await two.restart(1, { PROPGATE_MASTER_KEY: `3:${OLD}` });
    await until(() => two.nodes[1].output.includes("rekey"));
    expect(two.nodes[1].output).toMatch(/no configured master key opens: \d+ under version 2\./);
    expect(await two.send(1, trader)).toMatchObject({
      status: 500,
      body: { error: "Decrypt failed" },
    });
    const tried = await two.operate(1, "POST /keys/rekey", {});
    expect(tried).toMatchObject({ status: 200, body: { data: { resealed: 0 } } });
    await two.restart(1, { PROPGATE_MASTER_KEY: `2:${NEW},3:${OLD}` });
    expect((await two.send(1, trader)).status).toBe(200);
  });
});

/** Creates keys of one account, sealed with the first version of the master key. */
async function manyKeys(two: NodeGroup): Promise<readonly Trader[]> {
  const first = await two.newTrader();
  const box = createSecretBox(parseMasterKeys(`1:${OLD}`), systemChance);
  const traders = Array.from({ length: KEYS }, (_, index) => ({
    accountId: first.accountId,
    keyId: `pk_${String(index).padStart(20, "0")}`,
    secret: `sk_${randomBytes(32).toString("base64url")}`,
  }));
  await insertKeys(two, traders, box);
  return traders;
}

async function insertKeys(
  two: NodeGroup,
  traders: readonly Trader[],
  box: SecretBox,
): Promise<void> {
  const sealed: readonly StoredKey["sealedSecret"][] = traders.map(({ keyId, secret }) =>
    box.seal(keyId, secret),
  );
  await two.database.query(
    `with made as (
       insert into keys (key_id, account_id, scopes, sealed_secret, created_at_ms)
       select k.key_id, $3::uuid, '{read,place}', k.sealed, 1
       from unnest($1::text[], $2::bytea[]) as k (key_id, sealed) returning key_id
     ) insert into key_usage (key_id) select key_id from made`,
    [traders.map(({ keyId }) => keyId), sealed, traders[0]?.accountId],
  );
}

/**
 * Starts four clients that send one request after the other. `stop` waits for more than `USED` answers, ends the
 * clients and returns the answers.
 */
function startLoad(send: (index: number) => Promise<NodeAnswer>): {
  stop(): Promise<readonly NodeAnswer[]>;
} {
  const answers: NodeAnswer[] = [];
  let isOn = true;
  let sent = 0;
  const client = async (): Promise<void> => {
    while (isOn) {
      sent += 1;
      answers.push(await send(sent));
    }
  };
  const clients = Promise.all([client(), client(), client(), client()]);
  return {
    async stop() {
      await until(() => answers.length > USED);
      isOn = false;
      await clients;
      return answers;
    },
  };
}

function fault(): never {
  throw new Error("there is no such trader");
}
