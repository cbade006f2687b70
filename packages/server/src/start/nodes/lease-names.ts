/** The names of the leases that one node of a database holds, besides those of the partitions. */

/** The name of the lease of the node that runs the sources of prices. */
export const FEED_LEASE = "feed";

/** The name of the lease of the node that delivers webhooks. */
export const WEBHOOKS_LEASE = "webhooks";
