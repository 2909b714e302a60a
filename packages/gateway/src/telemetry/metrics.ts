/** The names and values by which a measurement is told apart. */
export interface MetricAttributes {
  readonly [name: string]: string
}

/** Takes measurements of the gateway. The names are those of OpenTelemetry. */
export interface GatewayMetrics {
  count(name: string, attributes: MetricAttributes): void
  /** A duration in seconds. */
  duration(name: string, seconds: number, attributes: MetricAttributes): void
}

/** The counters of the gateway, with the words for people. */
export const counterHelp: ReadonlyMap<string, string> = new Map([
  ['tenon.gateway.decisions', 'Decisions of the policy, by effect'],
  ['tenon.gateway.refusals', 'Requests that were refused, by reason'],
  ['tenon.gateway.guard.actions', 'Arguments and results that a guard changed, answered or refused'],
  ['tenon.gateway.audit.failures', 'Entries that the audit log could not take'],
])

/** The histogram of the conventions for MCP. */
export const operationDuration = 'mcp.server.operation.duration'
