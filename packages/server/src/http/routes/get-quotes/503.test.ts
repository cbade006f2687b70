import { describe } from "vitest";
import { unreachableSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET quotes answers 503", () => unreachableSuite("getQuotes"));
