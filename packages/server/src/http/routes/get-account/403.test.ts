import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET account answers 403", () => forbiddenSuite("getAccount"));
