import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { parseCatalogue } from "../../../packages/market/src/catalogue/catalogue.ts";
import { MarketDataError } from "../../../packages/market/src/catalogue/market-data-error.ts";
import { parsePrograms } from "../../../packages/market/src/catalogue/programs.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";
import { documentVariants } from "../mutated-calls.ts";

const DATA = new URL("../../../packages/market/data/", import.meta.url);
const FILE = "the file";

/**
 * A changed catalogue or program file is either accepted, or refused with the location of the mistake.
 * @rule D6.catalogue
 */
export async function marketFilesSuites(): Promise<readonly FuzzSuite[]> {
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(new URL(name, DATA), "utf8"));
  return [
    fileSuite("catalogue files", smallCatalogue(await read("catalogue.json")), parseCatalogue),
    fileSuite("program files", await read("programs.json"), parsePrograms),
  ];
}

function fileSuite(
  name: string,
  document: unknown,
  parse: (text: string, file: string) => unknown,
): FuzzSuite {
  return createFuzzSuite({
    name,
    defaultRuns: 400,
    inputs: fc.oneof({ weight: 9, arbitrary: documentVariants(document) }, fc.string()),
    async try(text) {
      try {
        parse(text, FILE);
      } catch (cause) {
        if (!(cause instanceof MarketDataError)) throw cause;
        // The message names a location such as `instruments[3].tick`, or a mistake of the whole text.
        assert.match(cause.message, /^the file(?:: \S| is (?:not valid JSON|nested))/);
      }
    },
  });
}

/**
 * The whole catalogue without most instruments, because the full catalogue would make the suite slower. The pairs that
 * convert the remaining instruments to USD stay.
 */
function smallCatalogue(file: unknown): unknown {
  const { instruments, ...rest } = Object(file);
  const kept = [...instruments].filter(({ id }) => /^(?:BTC|ETH|EUR|GBP|XAU|SPX|AAPL)/.test(id));
  return { ...rest, instruments: kept };
}
