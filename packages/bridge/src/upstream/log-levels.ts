import { type LoggingLevel, loggingLevels } from '@tenon/sdk/client'

/** True if a log message is at least as severe as a level. */
export const passesLevel = (level: unknown, least: LoggingLevel): boolean =>
  loggingLevels.indexOf(level as LoggingLevel) >= loggingLevels.indexOf(least)

export const isMoreVerbose = (level: LoggingLevel, than: LoggingLevel): boolean =>
  loggingLevels.indexOf(level) < loggingLevels.indexOf(than)
