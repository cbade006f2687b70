import { SANDBOX_GROUP } from "./sandbox-group.ts";
import { testFuzzGroup } from "./test-group.ts";

await testFuzzGroup(SANDBOX_GROUP);
