import { holdGroup } from "./hold-group.ts";
import { SANDBOX_GROUP } from "./sandbox-group.ts";

await holdGroup(SANDBOX_GROUP);
