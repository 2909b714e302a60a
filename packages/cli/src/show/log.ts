import type { LogMessage } from '@tenon/sdk/client'
import type { Style } from '../terminal/style.ts'
import { say, type TerminalText } from '../terminal/text.ts'

/** A log message of a server in one line. */
export function showLog({ level, logger, data }: LogMessage, style: Style): TerminalText {
  const paint = /error|critical|alert|emergency/.test(level)
    ? style.red
    : level === 'warning'
      ? style.yellow
      : style.dim
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return say`${paint(level)} ${logger === undefined ? '' : say`${style.dim(logger)} `}${text}`
}
