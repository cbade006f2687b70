/** The leases that one node of a database holds, beside those of the partitions. */

/** The node that runs the sources of prices. */
export const FEED = "feed";

/** The node that delivers webhooks. */
export const WEBHOOKS = "webhooks";
