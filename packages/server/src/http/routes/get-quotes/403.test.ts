import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET quotes answers 403", () => forbiddenSuite("getQuotes"));
