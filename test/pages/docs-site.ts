import fastify from "fastify";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { docPages } from "../../tools/docs-site/navigation.ts";
import { accessibilityFaults, type Rules, sideways } from "./accessibility.ts";
import { mountPages } from "./mount-pages.ts";

/**
 * The pages to check. Decisions and the specification are left out, because they have no parts that other pages lack;
 * the longest references are left out too.
 */
export const PATHS = [...docPages().values()]
  .map(({ path }) => path)
  .filter((path) => !/^\/docs\/(adr|spec)\/|\/(dependencies|cli|database|reliability)$/.test(path));
/** Pages that together have every part that a page can have. */
export const PARTS = [
  "/docs",
  "/docs/guides/start",
  "/docs/guides/order-types",
  "/docs/domain/payouts",
  "/docs/reference/errors",
];

export interface DocsSite {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the built documentation without a service. */
export async function openDocs(): Promise<DocsSite> {
  const mount = await mountPages();
  const app = fastify();
  mount({ app });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { url, stop: () => app.close() };
}

/** Checks that axe finds nothing on the page, and that the page does not scroll sideways. */
export async function expectAccessible(page: Page, path: string, rules?: Rules): Promise<void> {
  await page.goto(path);
  expect(await accessibilityFaults(page, rules)).toEqual([]);
  expect(await sideways(page)).toBe(0);
}
