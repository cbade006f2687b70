import type { ChainedLine } from "@propgate/core";
import type { LineRef } from "@propgate/ledger";
import { cursorOfPlace, fittingList, fittingTexts } from "@propgate/wire";
import type { Answered } from "./handler.ts";

/**
 * The answer with as many items as fit into it, and with the cursor of the next page in `next`: that of the last item,
 * or null when no item follows. @rule D13.answerBytes
 */
export async function fittingItems<Item>(
  { items, hasMore }: { readonly items: readonly Item[]; readonly hasMore: boolean },
  placeOf: (item: Item) => string | number,
): Promise<Answered> {
  const { json, count } = await fittingList(items.map((item) => [item]));
  const last = count === items.length && !hasMore ? undefined : items[count - 1];
  return { ok: true, json, ignored: [], next: last === undefined ? null : placeOf(last) };
}

/** The items that a page may show, with the functions that give the journal line and the answer's form of each. */
interface Shown<Found> {
  readonly found: readonly Found[];
  /**
   * The journal line after which the next page begins when all items fit, and always when they are the newest ones.
   */
  readonly next: LineRef;
  /** True for the newest items: the oldest of them are left out when not all fit. */
  readonly isNewest: boolean;
  readonly lineOf: (one: Found) => ChainedLine | undefined;
  /** The form of an item in the answer; null for an item that the page does not show. */
  readonly view: (one: Found) => unknown;
}

/**
 * The page that fits into one answer, and the cursor of the next one. Items of one line are never divided, because the
 * cursor names a line. @rule D13.answerBytes
 */
export async function fittingPage<Found>(shown: Shown<Found>): Promise<{
  readonly items: string;
  readonly next: string;
}> {
  const { found, next, lineOf, view, isNewest } = shown;
  const parts = byLine(found, lineOf);
  if (isNewest) {
    const newestFirst = parts.toReversed().map((part) => part.toReversed());
    const { texts } = await fittingTexts(viewsOf(newestFirst, view));
    return {
      items: `[${texts.toReversed().join(",")}]`,
      next: JSON.stringify(cursorOfPlace(next)),
    };
  }
  const { json, count } = await fittingList(viewsOf(parts, view));
  const [last] = (count < parts.length ? parts[count - 1] : undefined) ?? [];
  const line = last === undefined ? undefined : lineOf(last);
  const at = line === undefined ? next : { sequence: line.seq, hash: line.hash };
  return { items: json, next: JSON.stringify(cursorOfPlace(at)) };
}

/** Groups items by their lines. Items of one line follow each other. */
function byLine<Found>(
  found: readonly Found[],
  lineOf: Shown<Found>["lineOf"],
): readonly (readonly Found[])[] {
  const parts: Found[][] = [];
  let lastSeq: number | undefined;
  for (const one of found) {
    const seq = lineOf(one)?.seq;
    if (seq !== lastSeq || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(one);
    lastSeq = seq;
  }
  return parts;
}

function* viewsOf<Found>(
  parts: readonly (readonly Found[])[],
  view: (one: Found) => unknown,
): Generator<readonly unknown[]> {
  for (const found of parts) yield found.map(view).filter((shown) => shown !== null);
}
