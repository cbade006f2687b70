import { describe } from "vitest";
import { unreachableSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET positions answers 503", () => unreachableSuite("getPositions"));
