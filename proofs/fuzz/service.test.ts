import { SERVICE_GROUP } from "./service-group.ts";
import { testGroup } from "./test-group.ts";

await testGroup(SERVICE_GROUP);
