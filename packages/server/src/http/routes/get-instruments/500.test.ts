import { describe } from "vitest";
import { faultSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET instruments answers 500", () => faultSuite("getInstruments"));
