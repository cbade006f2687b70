import { areaVitestConfig } from "../area-vitest-config.ts";

export default areaVitestConfig("gates");
