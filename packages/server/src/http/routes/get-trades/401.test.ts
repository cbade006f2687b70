import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 401", () => unauthorizedSuite("getTrades"));
