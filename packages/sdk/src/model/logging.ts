/** Severities of RFC 5424, least severe first. */
export const loggingLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export type LoggingLevel = (typeof loggingLevels)[number]

export const isLoggingLevel = (value: unknown): value is LoggingLevel =>
  (loggingLevels as readonly unknown[]).includes(value)

export interface LogMessage {
  level: LoggingLevel
  logger?: string
  data: unknown
}
