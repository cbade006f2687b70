import { FILES_GROUP } from "./files-group.ts";
import { testGroup } from "./test-group.ts";

await testGroup(FILES_GROUP);
