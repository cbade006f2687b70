import fastify from "fastify";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { docPages } from "../../tools/docs-site/navigation.ts";
import { type AxeRules, accessibilityFaults, sidewaysOverflow } from "./accessibility.ts";
import { readPagesMount } from "./read-pages-mount.ts";

/**
 * The pages to check. Decisions and the specification are left out, because they have no parts that other pages lack;
 * the longest references are left out too.
 */
export const CHECKED_DOC_PATHS = [...docPages().values()]
  .map(({ path }) => path)
  .filter((path) => !/^\/docs\/(adr|spec)\/|\/(dependencies|cli|database|reliability)$/.test(path));
/** Pages that together have every part that a page can have. */
export const DOC_PATHS_WITH_EVERY_PART = [
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
export async function openDocsSite(): Promise<DocsSite> {
  const mount = await readPagesMount();
  const app = fastify();
  mount({ app });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { url, stop: () => app.close() };
}

/** Checks that axe finds no fault on the page, and that the page does not scroll sideways. */
export async function expectAccessible(page: Page, path: string, rules?: AxeRules): Promise<void> {
  await page.goto(path);
  expect(await accessibilityFaults(page, rules)).toEqual([]);
  expect(await sidewaysOverflow(page)).toBe(0);
}
