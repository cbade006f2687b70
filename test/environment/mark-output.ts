import { expect } from "vitest";
import { fileMarkerLine } from "../../tools/output-by-file.ts";

/** Runs before each test file: what this worker prints after the mark belongs to that file. */
const mark = fileMarkerLine(expect.getState().testPath ?? "");
process.stdout.write(mark);
process.stderr.write(mark);
