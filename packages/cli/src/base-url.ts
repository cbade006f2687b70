/** The port and the host of the default address of `propgate serve`. */
const DEFAULT_PORT = 8787;
const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_BASE_URL = `http://${DEFAULT_HOST}:${DEFAULT_PORT}`;
