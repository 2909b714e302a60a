import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { ToolError } from '@tenon/sdk/server'

const maxLength = 4_096

/** Checks a path as a model wrote it, and makes it absolute: relative ones lie in `folder`. */
export function absolutePath(given: string, folder: string): string {
  if (given.includes('\0')) throw new ToolError('Access denied - the path has a null byte')
  if (given.length > maxLength) {
    throw new ToolError(`Expected a path of at most ${maxLength} characters, got ${given.length}`)
  }
  if (process.platform !== 'win32' && /^[A-Za-z]:(?:[\\/]|$)/.test(given)) {
    throw new ToolError(`Access denied - Windows-style path received on a POSIX host: ${given}`)
  }
  refuseWindowsNames(given)
  const expanded = given === '~' || given.startsWith('~/') ? join(homedir(), given.slice(1)) : given
  return resolve(folder, expanded)
}

const deviceName = /(?:^|[\\/])(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.[^\\/]*)?(?:[\\/]|$)/i

/** On Windows some names are devices in every folder, and a colon opens a second stream of a file. */
function refuseWindowsNames(given: string): void {
  if (process.platform !== 'win32') return
  if (deviceName.test(given) || given.replace(/^[A-Za-z]:/, '').includes(':')) {
    throw new ToolError(`Access denied - the path names a device or a stream: ${given}`)
  }
}

/** True if it does not depend on a folder. */
export const isSelfContained = (given: string): boolean => isAbsolute(given) || given === '~' || given.startsWith('~/')
