import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET instruments answers 404", () => notFoundSuite("getInstruments"));
