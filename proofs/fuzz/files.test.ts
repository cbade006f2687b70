import { FILES_GROUP } from "./files-group.ts";
import { holdGroup } from "./hold-group.ts";

await holdGroup(FILES_GROUP);
