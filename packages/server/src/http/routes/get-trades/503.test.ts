import { describe } from "vitest";
import { unreachableSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 503", () => unreachableSuite("getTrades"));
