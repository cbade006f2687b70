/** Where a client reads the time that it signs. */
export type Now = () => number;

/** The machine's own time, milliseconds since the Unix epoch. */
export const systemNow: Now = () => Date.now();
