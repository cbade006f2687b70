import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET quotes answers 401", () => unauthorizedSuite("getQuotes"));
