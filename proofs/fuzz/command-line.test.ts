import { COMMAND_LINE_GROUP } from "./command-line-group.ts";
import { holdGroup } from "./hold-group.ts";

await holdGroup(COMMAND_LINE_GROUP);
