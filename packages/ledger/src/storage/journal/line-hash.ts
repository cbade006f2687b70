import { hash } from "node:crypto";
import type { Sha256 } from "@propgate/core";

/** The SHA-256 over the hash of the previous line and the text of a line. It chains the lines of a journal. */
export const sha256: Sha256 = (text, before) =>
  hash(
    "sha256",
    before === undefined ? text : Buffer.concat([before, Buffer.from(text)]),
    "buffer",
  );
