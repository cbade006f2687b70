import { holdGroup } from "./hold-group.ts";
import { SERVICE_GROUP } from "./service-group.ts";

await holdGroup(SERVICE_GROUP);
