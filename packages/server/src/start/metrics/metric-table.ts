/** A metric of the service. The page `docs/reference/metrics.md` is made from these rows. */
export interface MetricRow {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly about: string;
  readonly labels: readonly string[];
}

/**
 * Every metric that the service itself has. Labels have few values: route templates, pairs of the catalogue, names of
 * errors, jobs and tables, and `database`, the position of a database in PROPGATE_DATABASE_URLS from 0. No label
 * contains an account, a key, an address or a path that a client sent.
 */
export const METRICS = {
  buildInfo: {
    name: "propgate_build_info",
    type: "gauge",
    about: "Always 1; the label has the release.",
    labels: ["version"],
  },
  ready: {
    name: "propgate_ready",
    type: "gauge",
    about: "1 when /ready answers 200.",
    labels: [],
  },
  databaseUp: {
    name: "propgate_database_up",
    type: "gauge",
    about:
      "1 when the database answered this scrape. Without it, the metrics that need it are missing.",
    labels: ["database"],
  },
  storageFault: {
    name: "propgate_storage_fault",
    type: "gauge",
    about: "1 while the last call to the database failed; requests then get 5xx.",
    labels: ["database"],
  },
  faults: {
    name: "propgate_faults_total",
    type: "counter",
    about: "Unexpected errors. Each is a line of the log with level error.",
    labels: [],
  },
  requests: {
    name: "propgate_http_requests_total",
    type: "counter",
    about:
      "Answered requests by route and class of status. `pages` are files of the pages and documents, `unmatched` paths without a route.",
    labels: ["method", "route", "status"],
  },
  requestSeconds: {
    name: "propgate_http_request_duration_seconds",
    type: "histogram",
    about: "Time from the head of a signed request to its answer.",
    labels: ["method", "route"],
  },
  partSeconds: {
    name: "propgate_http_request_part_duration_seconds",
    type: "histogram",
    about:
      "Time of a part of signed requests. `checks`: gates 1 to 6, with key and body. `admission`: the database admits the request, gates 7 to 11. `work`: gate 12 and the endpoint.",
    labels: ["part"],
  },
  rejections: {
    name: "propgate_http_rejections_total",
    type: "counter",
    about: "Rejected signed requests by the name of the error, which names the gate.",
    labels: ["error"],
  },
  connections: {
    name: "propgate_http_connections",
    type: "gauge",
    about: "Open connections of the public listener.",
    labels: [],
  },
  admissionRequests: {
    name: "propgate_admission_batch_requests",
    type: "histogram",
    about: "Requests that one admission statement admits.",
    labels: [],
  },
  admissionSeconds: {
    name: "propgate_admission_commit_duration_seconds",
    type: "histogram",
    about: "Time of one admission statement with its commit.",
    labels: [],
  },
  commitCommands: {
    name: "propgate_executor_batch_commands",
    type: "histogram",
    about: "Commands of one commit of the executor.",
    labels: [],
  },
  commitSeconds: {
    name: "propgate_executor_commit_duration_seconds",
    type: "histogram",
    about: "Time of the statement that writes and commits a batch of the executor.",
    labels: [],
  },
  journalLines: {
    name: "propgate_journal_lines_written_total",
    type: "counter",
    about: "Journal lines that this node has written.",
    labels: [],
  },
  commandsForwarded: {
    name: "propgate_commands_forwarded_total",
    type: "counter",
    about:
      "Commands that this node forwarded to the owners of their accounts, by what came back. `done`: carried out. `refused`: by the network's rules. `notOwner`: the node does not own the account, nothing happened. `failed`: the owner failed. `silence`: no answer in time. A command that is passed twice counts twice. Missing without NATS.",
    labels: ["result"],
  },
  commandsWaiting: {
    name: "propgate_commands_waiting_for_owner",
    type: "gauge",
    about: "Commands that wait for an owner or for its answer. Missing without NATS.",
    labels: [],
  },
  lateAnswers: {
    name: "propgate_forwarding_answers_late_total",
    type: "counter",
    about: "Answers of owners to commands that this node had given up. Missing without NATS.",
    labels: [],
  },
  passingDropped: {
    name: "propgate_forwarding_messages_dropped_total",
    type: "counter",
    about:
      "Passed commands and answers that were not read. `seal`: not sent by a node of this installation. `twice`: came before.",
    labels: ["kind"],
  },
  quoteAge: {
    name: "propgate_board_quote_age_seconds",
    type: "gauge",
    about: "Age of the quote on the board. In closed markets it grows until the next session.",
    labels: ["pair"],
  },
  pricesMissing: {
    name: "propgate_prices_missing",
    type: "gauge",
    about: "1 when an open market has no fresh quote; orders on it are refused.",
    labels: [],
  },
  quotesAccepted: {
    name: "propgate_quotes_accepted_total",
    type: "counter",
    about: "Quotes that the intake accepted and numbered.",
    labels: [],
  },
  quotesRejected: {
    name: "propgate_quotes_rejected_total",
    type: "counter",
    about: "Quotes that the intake rejected. `other` is every pair outside the catalogue.",
    labels: ["source", "pair", "reason"],
  },
  quotesWaiting: {
    name: "propgate_quotes_waiting",
    type: "gauge",
    about: "Accepted quotes that the board has not shown yet.",
    labels: [],
  },
  boardLag: {
    name: "propgate_board_lag_seconds",
    type: "gauge",
    about: "Age of the oldest quote that waits for the board; 0 without one.",
    labels: [],
  },
  settlements: {
    name: "propgate_settlements_waiting",
    type: "gauge",
    about: "Accounts that a price nominated and that are not settled yet.",
    labels: [],
  },
  watchedAccounts: {
    name: "propgate_watched_accounts",
    type: "gauge",
    about: "Accounts with open positions or pending orders that this node settles by their prices.",
    labels: [],
  },
  partitionsOwned: {
    name: "propgate_partitions_owned",
    type: "gauge",
    about:
      "Partitions of accounts that this node decides. All nodes together own 256 of each database.",
    labels: ["database"],
  },
  partitionsTakenOver: {
    name: "propgate_partitions_taking_over",
    type: "gauge",
    about: "Partitions whose lease this node has while it still loads their accounts.",
    labels: ["database"],
  },
  partitionRenewalAge: {
    name: "propgate_partition_renewal_age_seconds",
    type: "gauge",
    about:
      "Time since the oldest renewal of this node's partition leases. From 4 s on they are not used.",
    labels: ["database"],
  },
  epochRefusals: {
    name: "propgate_epoch_refusals_total",
    type: "counter",
    about: "Batches that the database refused, because another node had taken the partition over.",
    labels: ["database"],
  },
  busDropped: {
    name: "propgate_bus_messages_dropped_total",
    type: "counter",
    about:
      "Messages of other nodes that this node dropped. `seal`: not sent by a node of this installation.",
    labels: ["kind"],
  },
  clockAhead: {
    name: "propgate_clock_ahead_seconds",
    type: "gauge",
    about:
      "By how much this node's clock is ahead of the database's; negative when it is behind. Beyond 2 s the node decides nothing.",
    labels: [],
  },
  dueAccounts: {
    name: "propgate_due_accounts",
    type: "gauge",
    about: "Accounts with due work that is not done.",
    labels: ["database"],
  },
  dueLag: {
    name: "propgate_due_lag_seconds",
    type: "gauge",
    about: "Age of the oldest due work that is not done; 0 without any.",
    labels: ["database"],
  },
  awaitedAccounts: {
    name: "propgate_awaited_accounts",
    type: "gauge",
    about:
      "Accounts whose due work waits for the price of a pair, by reason: missing, halted, beforeStart, adjusted, stale.",
    labels: ["database", "pair", "reason"],
  },
  jobFailures: {
    name: "propgate_job_failures",
    type: "gauge",
    about: "Failed runs of a job since the last one that succeeded.",
    labels: ["job_name"],
  },
  tableRows: {
    name: "propgate_table_rows",
    type: "gauge",
    about:
      "Estimated rows of a table, from the database's statistics, such as `nonces` and `nonce_blocks`.",
    labels: ["database", "table"],
  },
  databaseConnections: {
    name: "propgate_database_connections",
    type: "gauge",
    about: "Connections of this node's pool to its database.",
    labels: ["database", "state"],
  },
  databaseWaiting: {
    name: "propgate_database_pool_waiting",
    type: "gauge",
    about: "Statements and transactions that wait for a connection now.",
    labels: ["database"],
  },
  databaseWaits: {
    name: "propgate_database_pool_waits_total",
    type: "counter",
    about: "Statements and transactions that found every connection in use.",
    labels: ["database"],
  },
} as const satisfies Readonly<Record<string, MetricRow>>;
