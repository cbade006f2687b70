import axe from "axe-core";
import type { Page } from "playwright-core";

/** The rules of axe to check: all, one alone, or all but one. */
export type AxeRules = "all" | "only color-contrast" | "all but color-contrast";

const OPTIONS: Readonly<Record<AxeRules, axe.RunOptions>> = {
  all: {},
  "only color-contrast": { runOnly: { type: "rule", values: ["color-contrast"] } },
  "all but color-contrast": { rules: { "color-contrast": { enabled: false } } },
};

/**
 * Runs axe on the page. Resolves with each broken rule and the first elements that break it. Only these leave the
 * browser: the full result of axe also lists every element that passes, which takes longer to send than to check.
 */
export async function accessibilityFaults(
  page: Page,
  rules: AxeRules = "all",
): Promise<readonly (readonly [rule: string, elements: readonly string[]])[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (options: axe.RunOptions) => {
    const { axe: loaded } = window as unknown as { readonly axe: typeof axe };
    const { violations } = await loaded.run(document, { ...options, resultTypes: ["violations"] });
    return violations.map(
      ({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)] as const,
    );
  }, OPTIONS[rules]);
}

/** The placeholders that are wider than their fields, so that a person sees only their beginning. */
export function cutPlaceholders(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("input")]
      .filter((field) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field);
        const text = document.createElement("canvas").getContext("2d");
        if (text === null || field.clientWidth === 0) return false;
        text.font = font;
        const room =
          field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        return text.measureText(field.placeholder).width > room;
      })
      .map(({ placeholder }) => placeholder),
  );
}

/** The number of pixels by which the page is wider than its window; 0 when it does not scroll sideways. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  const pixels = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return Math.max(0, pixels);
}
