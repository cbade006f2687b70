/**
 * `npm run pictures` lets an account trade almost four days of recorded prices, and takes the README's pictures of its
 * pages. With `--all FOLDER` it takes a picture of every page instead, dark, light and on a phone.
 */
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { loadCatalogue } from "@propgate/server";
import { TEST_PASSWORD } from "../packages/server/src/testing/dashboard-client.ts";
import { type Harness, openHarness, START_MS } from "../packages/server/src/testing/harness.ts";
import {
  closeBrowser,
  DESKTOP,
  DESKTOP_LIGHT,
  openVisit,
  PHONE,
  type Visit,
  type WindowLook,
} from "../test/pages/browser.ts";
import { readPagesMount } from "../test/pages/read-pages-mount.ts";
import { fillSignIn } from "../test/pages/sign-in.ts";
import { recordedPricesFolder } from "../test/recorded-prices.ts";
import { ROOT } from "../test/source-tree.ts";

const PAIRS = ["EURUSD", "NZDUSD", "XAUUSD"] as const;
type Pair = (typeof PAIRS)[number];
/** 2014-05-05 12:00 UTC, a Monday like the service's first day. */
const RECORDED_FROM_MS = 1_399_291_200_000;
const STEP_MS = 5 * 60_000;
const STEPS = (3.81 * 86_400_000) / STEP_MS;

const OWN = ["", "/positions", "/orders", "/trades", "/payouts", "/pro", "/journal", "/keys"];
const GENERAL = ["/security", "/debugger", "/docs", "/docs/guides/start", "/docs/api"];
const CONSOLE = [
  "",
  "/accounts",
  "/people",
  "/payouts",
  "/programs",
  "/instruments",
  "/prices",
  "/audit",
];

const { values } = parseArgs({ options: { all: { type: "string" } } });
const folder = recordedPricesFolder();
if (folder === null) throw new Error("pictures need recorded prices: set PROPGATE_MARKET_DIR");
const addPages = await readPagesMount();

let step = async (): Promise<void> => undefined;
const { instruments } = await loadCatalogue(null);
const service = await openHarness({
  instruments,
  mount({ app, engine }) {
    addPages({ app });
    step = async () => {
      await engine.shards[0].equity.tick();
    };
  },
});
await trade(service, quotesOf(folder));
await service.signIn("owner");
await service.signIn("operator");
if (values.all === undefined) await readmePictures(service);
else await everyPicture(service, values.all);
await closeBrowser();
await service.close();

type Quotes = ReadonlyMap<Pair, ReadonlyMap<number, readonly [bid: number, ask: number]>>;

/** The last bid and ask of each recorded minute, by pair and by the service's time in milliseconds. */
function quotesOf(market: string): Quotes {
  return new Map(
    PAIRS.map((pair) => {
      const file = readFileSync(join(market, `${pair}-2014-05.csv.gz`));
      const rows = gunzipSync(file).toString("utf8").trim().split("\n").slice(1);
      const quotes = rows.map((row) => {
        const fields = row.split(",").map(Number);
        const [atMs = 0, , , , bid = 0, , , , ask = 0] = fields;
        return [atMs - RECORDED_FROM_MS + START_MS, [bid, ask]] as const;
      });
      return [pair, new Map(quotes)] as const;
    }),
  );
}

/** Plays the recorded quotes in steps of five minutes and trades on them, then places two pending orders. */
async function trade(account: Harness, quotes: Quotes): Promise<void> {
  const hourAgo = new Map<Pair, number>();
  for (let count = 0; count < STEPS; count += 1) {
    await account.pass(STEP_MS);
    for (const pair of PAIRS) {
      const quote = quotes.get(pair)?.get(account.time.clock.now());
      if (quote === undefined) continue;
      await account.quote(pair, ...quote);
      // The script looks at each pair once an hour: in the first step of the hour at the first pair, in the second step
      // at the second one.
      if (count % 12 === PAIRS.indexOf(pair)) await lookAtHour(account, { pair, quote, hourAgo });
    }
    await step();
  }
  await account.order({
    execution_type: "LIMIT",
    trade_pair: "XAUUSD",
    order_type: "LONG",
    leverage: 0.5,
    limit_price: 1_262,
    bracket_orders: [{ stop_loss: 1_255 }, { take_profit: 1_300, bracket_pct: 0.5 }],
  });
  // One exit for each direction; the service refuses the one that does not apply.
  for (const [order_type, limit_price] of [["LONG", 1.362] as const, ["SHORT", 1.405] as const]) {
    const exit = { execution_type: "LIMIT", trade_pair: "EURUSD", order_type, limit_price };
    await account.order({ ...exit, quantity: 0.5, reduce_only: true });
  }
}

/** Trades in the direction of the last hour when its price moved by more than 0.04 %. */
async function lookAtHour(
  account: Harness,
  {
    pair,
    quote: [bid, ask],
    hourAgo,
  }: {
    readonly pair: Pair;
    readonly quote: readonly [bid: number, ask: number];
    readonly hourAgo: Map<Pair, number>;
  },
): Promise<void> {
  const before = hourAgo.get(pair);
  hourAgo.set(pair, bid);
  const move = before === undefined ? 0 : bid / before - 1;
  if (Math.abs(move) > 0.0004) await follow(account, { pair, price: ask, isUp: move > 0 });
}

async function follow(
  account: Harness,
  { pair, price, isUp }: { readonly pair: Pair; readonly price: number; readonly isUp: boolean },
): Promise<void> {
  const side = isUp ? 1 : -1;
  const order = { execution_type: "MARKET", trade_pair: pair };
  const held = (await positionsOf(account)).find(({ tradePair }) => tradePair === pair);
  // An order that reduces attaches no legs.
  const reduces = held !== undefined && held.netQuantity * side < 0;
  const legs = {
    stop_loss: Number((price * (1 - side * 0.0025)).toPrecision(6)),
    take_profit: Number((price * (1 + side * 0.004)).toPrecision(6)),
  };
  await account.order({
    ...order,
    order_type: isUp ? "LONG" : "SHORT",
    leverage: 5,
    ...(reduces ? {} : legs),
  });
}

async function positionsOf(
  account: Harness,
): Promise<readonly { readonly tradePair: string; readonly netQuantity: number }[]> {
  const { data } = (await account.get("positions")).json() as {
    readonly data: readonly { readonly tradePair: string; readonly netQuantity: number }[];
  };
  return data;
}

/** The README's three pictures. */
async function readmePictures(account: Harness): Promise<void> {
  const at = (name: string): string => join(ROOT, "docs/pictures", name);
  const own = `/a/${account.accountId}`;
  const dark = await signedIn(account, "owner", DESKTOP);
  await picture(dark, own, { path: at("overview-dark.png"), fullPage: true });
  await dark.close();
  const light = await signedIn(account, "owner", { ...DESKTOP_LIGHT, height: 720 });
  await picture(light, `${own}/trades`, { path: at("trades-light.png") });
  await light.close();
  const phone = await signedIn(account, "owner", PHONE);
  await picture(phone, own, { path: at("overview-phone.png") });
  await phone.close();
}

async function everyPicture(account: Harness, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const looks: readonly (readonly [string, WindowLook])[] = [
    ["dark", DESKTOP],
    ["light", DESKTOP_LIGHT],
    ["phone", PHONE],
  ];
  for (const [name, look] of looks) {
    const owner = await signedIn(account, "owner", look);
    for (const path of [...OWN.map((one) => `/a/${account.accountId}${one}`), ...GENERAL]) {
      const file = `${path.replace(account.accountId, "account").slice(1).replaceAll("/", "-")}`;
      await picture(owner, path, { path: join(into, `${file}-${name}.png`), fullPage: true });
    }
    await owner.close();
    const operator = await signedIn(account, "operator", look);
    for (const path of CONSOLE) {
      const file = `console${path.replaceAll("/", "-")}-${name}.png`;
      await picture(operator, `/console${path}`, { path: join(into, file), fullPage: true });
    }
    await operator.close();
  }
}

async function signedIn(
  { port }: Harness,
  name: "owner" | "operator",
  look: WindowLook,
): Promise<Visit> {
  const visit = await openVisit(`http://localhost:${port}`, look);
  await fillSignIn(visit.page, { name, password: TEST_PASSWORD });
  await visit.page.getByRole("navigation", { name: "Pages" }).waitFor();
  return visit;
}

async function picture(
  { page }: Visit,
  path: string,
  shot: { readonly path: string; readonly fullPage?: boolean },
): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  await page.waitForTimeout(1_500);
  await page.screenshot(shot);
  process.stdout.write(`${shot.path}\n`);
}
