import { describe } from "vitest";
import { faultSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET quotes answers 500", () => faultSuite("getQuotes"));
