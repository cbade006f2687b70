/** The stored events that put an account on a program, which is in their terms; a part of an index. */
export const SETS_PROGRAM = `(event like '{"type":"accountOpened"%' or event like '{"type":"proStarted"%')`;
