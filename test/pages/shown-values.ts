import { isRecord } from "@propgate/contract";
import type { Client } from "@propgate/sdk";
import type { Page } from "playwright-core";
import { plainText } from "../../packages/dashboard/src/format/numbers.ts";

/** A value on a page, with the name of its field in the API. */
export interface ShownValue {
  /**
   * The path of the field, such as `account.currentEquity`, `positions[].netValue` or
   * `trades[].realizedPnl - totalFees`.
   */
  readonly field: string;
  /** The exact value that the page shows on hover; `unknown` for null. */
  readonly exact: string;
  /**
   * The key of the table row to which the value belongs, also when it is in the row's details or on its card. Null
   * outside of a table.
   */
  readonly row: string | null;
}

/** The values on a page that name their fields in the API. */
export function shownValues(page: Page): Promise<readonly ShownValue[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("[data-field][title]")].map((element) => {
      const item = element.closest<HTMLElement>("[data-row], [data-item]")?.dataset;
      return {
        field: element.dataset.field ?? "",
        exact: element.title.split(" · ")[0] ?? "",
        row: item?.row ?? item?.item ?? null,
      };
    }),
  );
}

/** The API's present answers, by the first part of the field names that the pages use. */
export async function apiAnswers(client: Client): Promise<Readonly<Record<string, unknown>>> {
  const [account, positions, orders, trades, payouts] = await Promise.all([
    client.account(),
    client.positions(),
    client.pendingOrders(),
    client.trades(),
    client.payouts(),
  ]);
  return { ...account, ...payouts, positions, orders, trades };
}

/** The shown values that are not those of the answers. */
export function differingValues(
  shown: readonly ShownValue[],
  answers: Readonly<Record<string, unknown>>,
): readonly ShownValue[] {
  return shown.filter((one) => !expectedOf(one, answers).includes(one.exact));
}

/** The texts that a page may show for a value of the API. A size may be shown without the sign of its direction. */
function expectedOf(
  { field, row }: ShownValue,
  answers: Readonly<Record<string, unknown>>,
): readonly string[] {
  const [path = "", subtracted] = field.split(" - ");
  const list = path.slice(0, path.indexOf("[]"));
  const items = path.includes("[]") ? itemsAt(answers, list) : [answers];
  const own = items.filter((item) => row !== null && idsOf(item).some((id) => row.startsWith(id)));
  const name = path.slice(path.indexOf("[].") + (path.includes("[].") ? 3 : 1));
  return (own.length > 0 ? own : items).flatMap((item) => {
    const value = valueAt(item, path.includes("[]") ? name : path);
    if (typeof value === "string") return [value];
    if (typeof value !== "number") return ["unknown"];
    const less = subtracted === undefined ? 0 : Number(valueAt(item, subtracted));
    return [plainText(value - less), plainText(Math.abs(value - less))];
  });
}

function itemsAt(answers: Readonly<Record<string, unknown>>, path: string): readonly unknown[] {
  const found = valueAt(answers, path);
  return Array.isArray(found) ? found : [];
}

function valueAt(root: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((name) => name !== "")
    .reduce<unknown>(
      (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
      root,
    );
}

function idsOf(item: unknown): readonly string[] {
  if (!isRecord(item)) return [];
  // The pages identify a payout week by its start.
  return [item.positionUuid, item.orderUuid, item.id, item.periodStartMs]
    .filter((id) => typeof id === "string" || typeof id === "number")
    .map(String);
}
