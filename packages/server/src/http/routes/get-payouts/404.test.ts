import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 404", () => notFoundSuite("getPayouts"));
