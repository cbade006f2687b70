import { unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { createSecretBox } from "../../../access/src/keys/seal-secret.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import { createEventLines } from "../../../ledger/src/storage/journal/event-lines.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createAlertLines } from "../storage/alert-lines.ts";
import { createAttemptStore } from "../storage/attempt-store.ts";
import { createEndpointStore } from "../storage/endpoint-store.ts";
import { createGrownQueues } from "../storage/grown-queues.ts";
import { createLaneStore } from "../storage/lane-store.ts";
import { createEndpointDesk, type NewWebhook } from "./endpoint-desk.ts";
import { openEndpoint } from "./sealed-endpoint.ts";
import { createWebhookViews } from "./webhook-view.ts";

const NOW = unixMs(1_000_000);
const HOUR_MS = 3_600_000;
const [OLD_KEY, NEW_KEY] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const WEBHOOK: NewWebhook = {
  url: "https://example.com/hook",
  label: "before",
  types: null,
  accountId: null,
  programId: null,
  from: "head",
  payload: "event",
  signatures: ["v1"],
  enabled: true,
};

await describeOnEachDatabase("two people at one webhook", (database) => {
  let runs = 0;
  const openDesks = async () => {
    runs += 1;
    const store = createEndpointStore(database());
    const chance = createSeededChance(`desks ${runs}`);
    const keys = new Map([
      [1, OLD_KEY],
      [2, NEW_KEY],
    ]);
    const boxOf = (version: number, key: Buffer) =>
      createSecretBox({ current: { version, key }, byVersion: keys }, chance);
    const part = {
      lanes: createLaneStore(database()),
      attempts: createAttemptStore(database()),
      lines: createEventLines(database()),
      alerts: createAlertLines(database()),
      grown: createGrownQueues(database()),
    };
    /** Runs once, after an endpoint was read and before its change is stored. */
    let meanwhile: (() => Promise<unknown>) | null = null;
    const deskAt = (endpoints: typeof store, box: ReturnType<typeof boxOf>) => {
      const common = {
        endpoints,
        databases: [part] as const,
        clock: { now: () => NOW },
        scope: { by: "operator" },
      } as const;
      return createEndpointDesk({
        ...common,
        views: createWebhookViews(common),
        delivery: { refresh: async () => undefined },
        numberAlerts: async () => [],
        rules: { ports: new Set([443]), allowsPrivate: false },
        box,
        chance,
        hasAccount: async () => true,
        hasProgram: async () => true,
      });
    };
    const slow: typeof store = {
      ...store,
      async get(id) {
        const found = await store.get(id);
        const act = meanwhile;
        meanwhile = null;
        await act?.();
        return found;
      },
    };
    const [box, newBox] = [boxOf(1, OLD_KEY), boxOf(2, NEW_KEY)];
    const desk = deskAt(slow, box);
    const made = await desk.createWebhook(WEBHOOK);
    if ("refused" in made) throw new Error(made.text);
    return {
      id: made.id,
      desk,
      other: deskAt(store, newBox),
      store,
      /** The secrets that sign deliveries at present, the newest first. */
      secrets: async (): Promise<readonly string[]> => {
        const endpoint = await store.get(made.id);
        return endpoint === null ? [] : (openEndpoint(newBox, endpoint, NOW)?.secrets ?? []);
      },
      isSealedAnew: async (): Promise<boolean> => {
        const { sealed = null } = (await store.get(made.id)) ?? {};
        return (
          sealed !== null && newBox.isCurrent(sealed.address) && newBox.isCurrent(sealed.secret)
        );
      },
      during: (act: () => Promise<unknown>): void => {
        meanwhile = act;
      },
    };
  };

  test("a change does not undo another that was stored while it was under way", async () => {
    const { id, desk, other, during } = await openDesks();
    during(() => other.change(id, { enabled: false }));
    expect(await desk.change(id, { label: "after" })).toMatchObject({
      label: "after",
      enabled: false,
    });
  });

  test("a secret that was answered signs, although the webhook was changed meanwhile", async () => {
    const { id, desk, other, during, secrets } = await openDesks();
    let rotated: Awaited<ReturnType<typeof other.rotate>> | null = null;
    during(async () => {
      rotated = await other.rotate(id, HOUR_MS);
    });
    await desk.change(id, { label: "after" });
    expect(rotated).toMatchObject({ secret: (await secrets())[0] });
  });

  test("a rotation is refused while the overlap of one runs that was stored meanwhile", async () => {
    const { id, desk, other, during } = await openDesks();
    during(() => other.rotate(id, HOUR_MS));
    expect(await desk.rotate(id, HOUR_MS)).toMatchObject({ code: "overlap_running" });
  });

  test("a webhook whose receiver was gone meanwhile stays disabled", async () => {
    const { id, desk, store, during } = await openDesks();
    during(async () => {
      const read = await store.get(id);
      if (read !== null) await store.disable(read, "gone", NOW);
    });
    expect(await desk.change(id, { label: "after" })).toMatchObject({ stateReason: "gone" });
  });

  test("what was sealed under a new master key meanwhile is not written back under the old one", async () => {
    const { id, desk, other, during, isSealedAnew } = await openDesks();
    during(() => other.rekey());
    await desk.change(id, { label: "after" });
    expect(await isSealedAnew()).toBe(true);
  });

  test("a webhook that was deleted meanwhile is not found", async () => {
    const { id, desk, other, during } = await openDesks();
    during(() => other.remove(id));
    expect(await desk.change(id, { label: "after" })).toMatchObject({ refused: "missing" });
  });

  test("an endpoint that has changed since it was read is not disabled", async () => {
    const { id, desk, store } = await openDesks();
    const read = await store.get(id);
    await desk.change(id, { url: "https://example.com/next" });
    if (read === null) throw new Error("there is no endpoint");
    expect(await store.disable(read, "gone", NOW)).toBe(false);
    expect(await store.get(id)).toMatchObject({ disabled: null });
  });
});
