import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@propgate/sdk";
import { openServiceDatabase, readSettings, startService } from "@propgate/server";
import { createDashboardClient } from "../../packages/server/src/testing/dashboard-client.ts";
import { recordedPricesFolder, sayPricesAreMissing } from "../recorded-prices.ts";
import { type Session, sessionOf } from "./browser.ts";

/** A service with its pages, as `npm start` runs it, and a client that trades on it. */
export interface PagedService {
  /** The address of the pages under `localhost`, because a passkey belongs to a name and never to an IP address. */
  readonly pagesUrl: string;
  readonly accountId: string;
  readonly operatorToken: string;
  /** A client with the first key, which has both scopes. */
  readonly client: Client;
  clientOf(key: { readonly keyId: string; readonly secret: string }): Client;
  /** Starts a session of a person. The first time it follows the printed link and sets `PAGES_PASSWORD`. */
  signIn(name: PersonName): Promise<Session>;
  /** Makes a call of the operator's interface. Resolves with its `data`. */
  operator(path: string, body?: object): Promise<Record<string, unknown>>;
  /** Stops the service, changes its stored data and starts it again. Keys and links stay valid. */
  restart(change: (database: StoredData) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export type PersonName = "owner" | "operator";

type StoredData = Awaited<ReturnType<typeof openServiceDatabase>>;

export const PAGES_PASSWORD = "correct horse battery staple";
/** The first moment of the generated prices, 2022-01-03 00:00 UTC. */
const GENERATED_FROM_MS = 1_641_168_000_000;
/** The number of minutes in which the generated prices do not move much. */
const QUIET_MINUTES = 480;
/** The amount in USD by which the generated prices fall in each minute after the quiet ones. */
const FALL_PER_MINUTE = 0.6;
const OPERATOR_TOKEN = "op_pages_0123456789abcdef0123456789";

/**
 * Starts a service with prices of BTC/USD at `speed` times their own speed. They are those of January 2022 when
 * `prices` is `recorded` and the recording is available, and otherwise generated ones.
 */
export async function openPagedService(
  speed: number,
  prices: "recorded" | "made" = "recorded",
): Promise<PagedService> {
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-pages-"));
  const reading = readSettings(
    {},
    {
      port: "0",
      dataDir,
      logLevel: "error",
      operatorToken: OPERATOR_TOKEN,
      replay:
        (prices === "recorded" ? recordedReplay() : null) ?? (await writeGeneratedReplay(dataDir)),
      replaySpeed: String(speed),
    },
  );
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  let service = await startService(reading.settings);
  const { firstKey, firstLinks } = service;
  if (firstKey === null) throw new Error("a first start makes a first key");
  const clientOf: PagedService["clientOf"] = ({ keyId, secret }) =>
    createClient({ baseUrl: service.baseUrl, keyId, secret });
  const unused = new Map(firstLinks.map(({ name, url }) => [name, url]));
  return {
    get pagesUrl() {
      return underName(service.baseUrl);
    },
    accountId: firstKey.accountId,
    operatorToken: OPERATOR_TOKEN,
    client: clientOf(firstKey),
    clientOf,
    async signIn(name) {
      const origin = underName(service.baseUrl);
      const browser = createDashboardClient({ port: Number(new URL(origin).port), origin });
      const link = unused.get(name);
      unused.delete(name);
      await (link === undefined
        ? browser.data("POST", "/sign-in", { name, password: PAGES_PASSWORD })
        : browser.data("POST", "/link/use", { token: linkToken(link), password: PAGES_PASSWORD }));
      return sessionOf(origin, browser.cookie());
    },
    async operator(path, body) {
      const response = await fetch(`${service.baseUrl}/operator/v1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const { data, error } = (await response.json()) as Record<string, unknown>;
      if (!response.ok) throw new Error(`${path}: ${String(error)}`);
      return data as Record<string, unknown>;
    },
    async restart(change) {
      await service.stop();
      const database = await openServiceDatabase({ databaseUrl: null, dataDir });
      await change(database);
      await database.close();
      service = await startService(reading.settings);
    },
    async stop() {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function recordedReplay(): string | null {
  const recorded = recordedPricesFolder();
  if (recorded !== null) return join(recorded, "BTCUSD-2022-01-bars.csv.gz");
  sayPricesAreMissing("the pages on real prices");
  return null;
}

/**
 * Writes a recording of generated prices: first quiet ones, then an even fall for days. Resolves with the setting that
 * replays it.
 */
async function writeGeneratedReplay(folder: string): Promise<string> {
  const file = join(folder, "BTCUSD-made.csv");
  const rows = Array.from({ length: 7_200 }, (_, minute) => {
    const fallen = Math.max(0, minute - QUIET_MINUTES) * FALL_PER_MINUTE;
    const price = 46_300 + Math.round(Math.sin(minute / 40) * 80) - fallen;
    return [GENERATED_FROM_MS + minute * 60_000, price, price + 20, price - 20, price].join(",");
  });
  await writeFile(file, ["timeMs,open,high,low,close", ...rows].join("\n"));
  return `BTCUSD=${file}`;
}

function underName(url: string): string {
  return url.replace("//127.0.0.1", "//localhost");
}

/** The token in the link that was printed for a person. */
export function linkToken(link: string): string {
  return new URL(link).hash.slice(1);
}
