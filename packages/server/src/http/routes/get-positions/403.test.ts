import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET positions answers 403", () => forbiddenSuite("getPositions"));
