import type { Page } from "playwright-core";

/** Signs a person in with the form. The form leads to `next`, or to the person's first page when `next` is absent. */
export async function fillSignIn(
  page: Page,
  {
    name,
    password,
    next,
  }: { readonly name: string; readonly password: string; readonly next?: string },
): Promise<void> {
  await page.goto(next === undefined ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
