import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { TEST_MAX_MS } from "../environment/test-max-ms.ts";

const CHROMIUM = "/usr/bin/chromium";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** False when Chromium is missing; then reports on standard error that no page is tested. */
export function hasBrowser(): boolean {
  const isInstalled = existsSync(CHROMIUM);
  if (!isInstalled)
    process.stderr.write(`\nSKIPPED: Chromium is not at ${CHROMIUM}, so no page is tested\n`);
  return isInstalled;
}

/** A browser with nothing in it. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The browser's complaints: errors of scripts, blocked contents, violated policies. */
  readonly complaints: readonly string[];
  /** Every host that received a request. */
  readonly hosts: ReadonlySet<string>;
  close(): Promise<void>;
}

export interface Look {
  readonly width: number;
  readonly height: number;
  readonly theme: "dark" | "light";
  readonly reducedMotion?: boolean;
}

export const DESK: Look = { width: 1440, height: 900, theme: "dark" };
export const DESK_LIGHT: Look = { width: 1440, height: 900, theme: "light" };
export const PHONE: Look = { width: 390, height: 844, theme: "dark" };

/** One program for all visits; each visit has cookies, storage and cache of its own. */
let browser: Promise<Browser> | null = null;

/** After the last visit; the next one starts the program again. */
export async function closeBrowser(): Promise<void> {
  const running = browser;
  browser = null;
  await (await running)?.close();
}

export async function openVisit(baseUrl: string, look: Look = DESK): Promise<Visit> {
  browser ??= chromium.launch({
    executablePath: CHROMIUM,
    args: FLAGS,
    timeout: TEST_MAX_MS,
  });
  const context = await (await browser).newContext({
    baseURL: baseUrl,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.theme,
    reducedMotion: look.reducedMotion === true ? "reduce" : "no-preference",
    timezoneId: "America/New_York",
    locale: "en-US",
  });
  context.setDefaultTimeout(TEST_MAX_MS);
  const complaints: string[] = [];
  const hosts = new Set<string>();
  context.on("request", (request) => hosts.add(new URL(request.url()).host));
  context.on("weberror", (fault) => complaints.push(String(fault.error())));
  context.on("console", (message) => {
    // The page itself reports a failed call; the browser logs each of them as well.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) complaints.push(message.text());
  });
  const page = await context.newPage();
  const close = async (): Promise<void> => {
    // A call that the page made last may still be with a test's route; it ends with the page.
    if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  };
  return { page, context, complaints, hosts, close };
}
