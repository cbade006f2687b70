import { wireJson, workInTurns } from "@propgate/base";
import { LIMITS } from "@propgate/contract";

/** The beginning of a list that fits into one answer. */
interface Fitting {
  /** The JSON of each item, in their order. */
  readonly texts: readonly string[];
  /** How many parts fit. */
  readonly count: number;
}

/** More than the envelope and the other fields of a page have around its list. */
export const AROUND_BYTES = 512;

/**
 * As many parts of a list, from the first on, as fit into the size of an answer. A part is divided never, and the first
 * one is always there: a client that pages would otherwise not go on. Parts behind the last one that fits are not made.
 * `aroundBytes`: the rest of the answer. @rule D13.answerBytes decides
 */
export async function fittingTexts(
  parts: Iterable<readonly unknown[]>,
  aroundBytes: number = AROUND_BYTES,
): Promise<Fitting> {
  const texts: string[] = [];
  let count = 0;
  let bytes = aroundBytes;
  await workInTurns(parts, (part) => {
    const made = part.map(wireJson);
    bytes += made.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
    if (bytes > LIMITS.answerBytesMax && count > 0) return false;
    texts.push(...made);
    count += 1;
    return true;
  });
  return { texts, count };
}

/** The same as the JSON of a list. */
export async function fittingList(
  parts: Iterable<readonly unknown[]>,
  aroundBytes?: number,
): Promise<{ readonly json: string; readonly count: number }> {
  const { texts, count } = await fittingTexts(parts, aroundBytes);
  return { json: `[${texts.join(",")}]`, count };
}
