import { SANDBOX_GROUP } from "./sandbox-group.ts";
import { testGroup } from "./test-group.ts";

await testGroup(SANDBOX_GROUP);
