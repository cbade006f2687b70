import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET account answers 401", () => unauthorizedSuite("getAccount"));
