import { FILES_GROUP } from "./files-group.ts";
import { testFuzzGroup } from "./test-group.ts";

await testFuzzGroup(FILES_GROUP);
