import { hash } from "node:crypto";
import type { Sha256 } from "@propgate/core";

/** The hash by which the lines of journals are chained. */
export const sha256: Sha256 = (text, before) =>
  hash(
    "sha256",
    before === undefined ? text : Buffer.concat([before, Buffer.from(text)]),
    "buffer",
  );
