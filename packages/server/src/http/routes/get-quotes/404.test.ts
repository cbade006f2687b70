import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET quotes answers 404", () => notFoundSuite("getQuotes"));
