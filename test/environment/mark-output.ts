import { expect } from "vitest";
import { markOf } from "../../tools/output-by-file.ts";

/** Before each test file: what this worker prints from here on belongs to it. */
const mark = markOf(expect.getState().testPath ?? "");
process.stdout.write(mark);
process.stderr.write(mark);
