import fastify from "fastify";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { docPages } from "../../tools/docs-site/navigation.ts";
import { accessibilityFaults, type Rules, sideways } from "./accessibility.ts";
import { mountPages } from "./mount-pages.ts";

/** Every page, except decisions and the specification, which have no other parts, and the longest references. */
export const PATHS = [...docPages().values()]
  .map(({ path }) => path)
  .filter((path) => !/^\/docs\/(adr|spec)\/|\/(dependencies|cli|database|reliability)$/.test(path));
/** Pages that together have every part of a page. */
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

/** Serves the built documentation alone, without a service. */
export async function openDocs(): Promise<DocsSite> {
  const mount = await mountPages();
  const app = fastify();
  mount({ app });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { url, stop: () => app.close() };
}

/** Axe finds nothing on the page, and the page does not scroll sideways. */
export async function expectAccessible(page: Page, path: string, rules?: Rules): Promise<void> {
  await page.goto(path);
  expect(await accessibilityFaults(page, rules)).toEqual([]);
  expect(await sideways(page)).toBe(0);
}
