import { describe } from "vitest";
import { unreachableSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 503", () => unreachableSuite("getPayouts"));
