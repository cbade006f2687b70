import { createHash } from "node:crypto";
import { coreDigest, serviceRelease } from "@propgate/base";
import { STATE_FORMAT } from "@propgate/ledger";
import type { Catalogue } from "@propgate/market";
import type { NodeConfiguration } from "../../storage/node-configuration.ts";

/**
 * The configuration that all nodes must share, so that they decide an account alike. It has a digest of the core,
 * because builds of one release may differ in the core.
 */
export function nodeConfiguration({
  instruments,
  simulated,
}: Pick<Catalogue, "instruments" | "simulated">): NodeConfiguration {
  const content = { instruments: [...instruments.values()], simulated };
  return {
    release: `${serviceRelease()} with core ${coreDigest()}`,
    stateFormat: STATE_FORMAT,
    catalogue: createHash("sha256").update(JSON.stringify(content, asPlain)).digest("hex"),
  };
}

/** Describes for people how two configurations differ; empty when they do not. */
export function configurationDifferences(
  mine: NodeConfiguration,
  theirs: NodeConfiguration,
): readonly string[] {
  return [
    ...(mine.release === theirs.release && mine.stateFormat === theirs.stateFormat
      ? []
      : [
          `the release (${mine.release}, state format ${mine.stateFormat}, against ${theirs.release}, state format ${theirs.stateFormat})`,
        ]),
    ...(mine.catalogue === theirs.catalogue
      ? []
      : [
          `the catalogue (SHA-256 ${mine.catalogue.slice(0, 12)} against ${theirs.catalogue.slice(0, 12)})`,
        ]),
  ];
}

/** Makes arrays of maps and sets, whose content JSON would drop. */
function asPlain(_: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value;
}
