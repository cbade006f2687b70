import { describe } from "vitest";
import { upstreamSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET account answers 502", () => upstreamSuite("getAccount"));
