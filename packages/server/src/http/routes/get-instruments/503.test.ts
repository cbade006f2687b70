import { describe } from "vitest";
import { unreachableSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET instruments answers 503", () => unreachableSuite("getInstruments"));
