import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET positions answers 401", () => unauthorizedSuite("getPositions"));
