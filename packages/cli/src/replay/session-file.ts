import { resolve } from 'node:path'
import { readSessionFile, type Session } from '@tenon/replay'
import { usage } from '../exit.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'

/** Reads a recorded session; errors name the line of the file. */
export async function loadSession(file: string, terminal: Terminal): Promise<Session> {
  try {
    const session = await readSessionFile(resolve(terminal.surroundings.cwd, file))
    for (const warning of session.warnings) {
      terminal.note(say`${terminal.notes.yellow('warning:')} ${file}: ${warning}`)
    }
    return session
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw usage(`There is no file ${file}`, '`tenon record` writes one.')
    if (name === 'SessionFileError') throw usage(`${file}: ${message}`, 'Expected a file that `tenon record` wrote.')
    throw usage(`Cannot read ${file}: ${message}`)
  }
}
