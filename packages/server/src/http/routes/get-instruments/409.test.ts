import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET instruments answers 409", () => conflictSuite("getInstruments"));
