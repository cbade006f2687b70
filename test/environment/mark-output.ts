import { expect } from "vitest";
import { markOf } from "../../tools/output-by-file.ts";

/** Runs before each test file: what this worker prints after the mark belongs to that file. */
const mark = markOf(expect.getState().testPath ?? "");
process.stdout.write(mark);
process.stderr.write(mark);
