import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET quotes answers 409", () => conflictSuite("getQuotes"));
