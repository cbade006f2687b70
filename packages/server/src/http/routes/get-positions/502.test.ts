import { describe } from "vitest";
import { upstreamSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET positions answers 502", () => upstreamSuite("getPositions"));
