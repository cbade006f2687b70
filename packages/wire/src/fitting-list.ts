import { forEachYielding, wireJson } from "@propgate/base";
import { LIMITS } from "@propgate/contract";

/** The beginning of a list that fits into one answer. */
interface FittingTexts {
  /** The JSON of each item, in their order. */
  readonly texts: readonly string[];
  /** The number of parts that fit. */
  readonly count: number;
}

/** An upper bound of the bytes that an answer has around its list: the envelope and the other fields. */
export const ENVELOPE_BYTES_MAX = 512;

/**
 * Renders as many parts of a list, from the first on, as fit into the size of an answer. A part is one or more items
 * that stay together. The first part is always included: without it, a client that reads page by page could never
 * continue. Parts after the first one that does not fit are not rendered. `aroundBytes` is the size of the rest of the
 * answer. @rule D13.answerBytes decides
 */
export async function fittingTexts(
  parts: Iterable<readonly unknown[]>,
  aroundBytes: number = ENVELOPE_BYTES_MAX,
): Promise<FittingTexts> {
  const texts: string[] = [];
  let count = 0;
  let bytes = aroundBytes;
  await forEachYielding(parts, (part) => {
    const made = part.map(wireJson);
    bytes += made.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
    if (bytes > LIMITS.answerBytesMax && count > 0) return false;
    texts.push(...made);
    count += 1;
    return true;
  });
  return { texts, count };
}

/** The parts that fit, as the JSON of one list. */
export async function fittingList(
  parts: Iterable<readonly unknown[]>,
  aroundBytes?: number,
): Promise<{ readonly json: string; readonly count: number }> {
  const { texts, count } = await fittingTexts(parts, aroundBytes);
  return { json: `[${texts.join(",")}]`, count };
}
