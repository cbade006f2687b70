import { describe } from "vitest";
import { faultSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET positions answers 500", () => faultSuite("getPositions"));
