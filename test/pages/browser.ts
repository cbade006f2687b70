import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { TEST_MAX_MS } from "../environment/test-max-ms.ts";

/**
 * Paths of Chromium. The headless shell comes first: it draws the same pages without a window, and a window would cost
 * as much again.
 */
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

/** The environment variable with the address of a browser that already runs, for all test files of a run. */
export const SHARED_BROWSER = "PROPGATE_TEST_BROWSER";

/** Whether Chromium is installed. If not, reports on standard error that no page is tested. */
export function hasBrowser(): boolean {
  const isInstalled = PROGRAMS.some((program) => existsSync(program));
  if (!isInstalled)
    process.stderr.write(
      `\nSKIPPED: Chromium is not at ${PROGRAMS.join(" or ")}, so no page is tested\n`,
    );
  return isInstalled;
}

/** The options with which the browser is started, alone or for all test files. */
export function launchOptions(): LaunchOptions {
  const program = PROGRAMS.find((one) => existsSync(one));
  if (program === undefined) throw new Error("Chromium is not installed");
  return { executablePath: program, args: FLAGS, timeout: TEST_MAX_MS };
}

/** A fresh browser context with only the given session. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The browser's complaints: errors of scripts, blocked contents, violated policies. */
  readonly complaints: readonly string[];
  /** The hosts that received a request. */
  readonly hosts: ReadonlySet<string>;
  /** Replaces the cookies by those of this session. */
  become(session: Session): Promise<void>;
  close(): Promise<void>;
}

/** The cookies of a person who signed in. */
export type Session = Parameters<BrowserContext["addCookies"]>[0];

/** The session of a cookie in the form `name=value`, for the pages at this address. */
export function sessionOf(url: string, cookie: string): Session {
  const at = cookie.indexOf("=");
  return [{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }];
}

/** The size of a window and the theme of its pages. */
export interface WindowLook {
  readonly width: number;
  readonly height: number;
  readonly theme: "dark" | "light";
  readonly reducedMotion?: boolean;
}

export const DESKTOP: WindowLook = { width: 1440, height: 900, theme: "dark" };
export const DESKTOP_LIGHT: WindowLook = { width: 1440, height: 900, theme: "light" };
export const PHONE: WindowLook = { width: 390, height: 844, theme: "dark" };

/** The browser program of all visits. Each visit has cookies, storage and a cache of its own. */
let browser: Promise<Browser> | null = null;

/** Closes the browser after the last visit, with all visits that are still open. The next visit starts it again. */
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
  look: WindowLook = DESKTOP,
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
    // The page itself reports a failed call, and the browser logs each of them as well.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) complaints.push(message.text());
  });
  const page = await context.newPage();
  const become = async (session: Session): Promise<void> => {
    await context.clearCookies();
    await context.addCookies(session);
  };
  const close = async (): Promise<void> => {
    // The last call of the page may still be handled by a test's route. That route must not fail when the page closes.
    if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  };
  return { page, context, complaints, hosts, become, close };
}
