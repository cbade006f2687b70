import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { TEST_MAX_MS } from "../environment/test-max-ms.ts";

/** The shell first: it draws the same pages without a window around them, which costs as much again. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Names the address of a browser that runs already, for all test files of a run. */
export const SHARED_BROWSER = "PROPGATE_TEST_BROWSER";

/** False when Chromium is missing; then reports on standard error that no page is tested. */
export function hasBrowser(): boolean {
  const isInstalled = PROGRAMS.some((program) => existsSync(program));
  if (!isInstalled)
    process.stderr.write(
      `\nSKIPPED: Chromium is not at ${PROGRAMS.join(" or ")}, so no page is tested\n`,
    );
  return isInstalled;
}

/** How the browser is started, alone or for all test files. */
export function launchOptions(): LaunchOptions {
  const program = PROGRAMS.find((one) => existsSync(one));
  if (program === undefined) throw new Error("Chromium is not installed");
  return { executablePath: program, args: FLAGS, timeout: TEST_MAX_MS };
}

/** A browser with nothing in it but the session that it was given. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The browser's complaints: errors of scripts, blocked contents, violated policies. */
  readonly complaints: readonly string[];
  /** Every host that received a request. */
  readonly hosts: ReadonlySet<string>;
  /** Leaves the session of another person behind. */
  become(session: Session): Promise<void>;
  close(): Promise<void>;
}

/** The cookies of a person who signed in. */
export type Session = Parameters<BrowserContext["addCookies"]>[0];

/** The session of a cookie as a browser sends it, `name=value`, for the pages at this address. */
export function sessionOf(url: string, cookie: string): Session {
  const at = cookie.indexOf("=");
  return [{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }];
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

/** After the last visit, with all that are still open; the next one starts the program again. */
export async function closeBrowser(): Promise<void> {
  const running = browser;
  browser = null;
  await (await running)?.close();
}

function openBrowser(): Promise<Browser> {
  const shared = process.env[SHARED_BROWSER];
  return shared === undefined
    ? chromium.launch(launchOptions())
    : chromium.connect(shared, { timeout: TEST_MAX_MS });
}

export async function openVisit(
  baseUrl: string,
  look: Look = DESK,
  given: Session = [],
): Promise<Visit> {
  browser ??= openBrowser();
  const context = await (await browser).newContext({
    baseURL: baseUrl,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.theme,
    reducedMotion: look.reducedMotion === true ? "reduce" : "no-preference",
    timezoneId: "America/New_York",
    locale: "en-US",
  });
  context.setDefaultTimeout(TEST_MAX_MS);
  await context.addCookies(given);
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
  const become = async (session: Session): Promise<void> => {
    await context.clearCookies();
    await context.addCookies(session);
  };
  const close = async (): Promise<void> => {
    // A call that the page made last may still be with a test's route; it ends with the page.
    if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  };
  return { page, context, complaints, hosts, become, close };
}
