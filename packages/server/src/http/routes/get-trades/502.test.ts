import { describe } from "vitest";
import { upstreamSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 502", () => upstreamSuite("getTrades"));
