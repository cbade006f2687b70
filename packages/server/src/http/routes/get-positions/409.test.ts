import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET positions answers 409", () => conflictSuite("getPositions"));
