import { describe } from "vitest";
import { faultSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 500", () => faultSuite("getTrades"));
