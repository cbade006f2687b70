import { COMMAND_LINE_GROUP } from "./command-line-group.ts";
import { FILES_GROUP } from "./files-group.ts";
import type { FuzzGroup } from "./fuzz-suite.ts";
import { SANDBOX_GROUP } from "./sandbox-group.ts";
import { SERVICE_GROUP } from "./service-group.ts";

/** All groups of fuzz suites. */
export const FUZZ_GROUPS: readonly FuzzGroup[] = [
  SERVICE_GROUP,
  SANDBOX_GROUP,
  FILES_GROUP,
  COMMAND_LINE_GROUP,
];
