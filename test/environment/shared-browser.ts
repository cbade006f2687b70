import { chromium } from "playwright-core";
import { hasBrowser, launchOptions, SHARED_BROWSER } from "../pages/browser.ts";

/** Starts one Chromium for all tests of the pages. Every visit of a test has a context of its own in it. */
export async function setup(): Promise<() => Promise<void>> {
  if (!hasBrowser()) return async () => undefined;
  const server = await chromium.launchServer({ ...launchOptions(), host: "127.0.0.1" });
  process.env[SHARED_BROWSER] = server.wsEndpoint();
  return () => server.close();
}
