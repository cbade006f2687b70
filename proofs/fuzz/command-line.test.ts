import { COMMAND_LINE_GROUP } from "./command-line-group.ts";
import { testGroup } from "./test-group.ts";

await testGroup(COMMAND_LINE_GROUP);
