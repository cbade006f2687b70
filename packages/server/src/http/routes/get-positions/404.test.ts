import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET positions answers 404", () => notFoundSuite("getPositions"));
