import { COMMAND_LINE_GROUP } from "./command-line-group.ts";
import { testFuzzGroup } from "./test-group.ts";

await testFuzzGroup(COMMAND_LINE_GROUP);
