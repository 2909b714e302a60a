import type { LogMessage } from '@tenon/sdk/client'
import { visibleLine } from '@tenon/sdk/display'
import type { Style } from '../terminal/style.ts'

/** A log message of a server in one line. */
export function showLog({ level, logger, data }: LogMessage, style: Style): string {
  const paint = /error|critical|alert|emergency/.test(level)
    ? style.red
    : level === 'warning'
      ? style.yellow
      : style.dim
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${paint(level)} ${logger === undefined ? '' : `${style.dim(visibleLine(logger))} `}${visibleLine(text)}`
}
