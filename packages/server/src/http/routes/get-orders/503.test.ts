import { describe } from "vitest";
import { unreachableSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders answers 503", () => unreachableSuite("getOrders"));
