import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET instruments answers 401", () => unauthorizedSuite("getInstruments"));
