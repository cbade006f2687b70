import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders answers 403", () => forbiddenSuite("getOrders"));
