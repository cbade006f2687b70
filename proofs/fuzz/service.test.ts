import { SERVICE_GROUP } from "./service-group.ts";
import { testFuzzGroup } from "./test-group.ts";

await testFuzzGroup(SERVICE_GROUP);
