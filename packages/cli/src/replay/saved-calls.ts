import { type CallsFile, loadCallsFile } from '@tenon/replay'
import { docsPage } from '../docs-page.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'

/** Reads a file of saved calls; errors name the place in the file. */
export async function loadSavedCalls(path: string, shown: string): Promise<CallsFile> {
  try {
    return await loadCallsFile(path)
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException
    if (name !== 'CallsFileError') throw usage(code === 'ENOENT' ? `There is no file ${shown}` : `${shown}: ${message}`)
    throw new CommandFailure(
      ExitCode.Usage,
      'invalid_file',
      message.replaceAll(path, shown),
      `See ${docsPage('saved-calls')}`,
    )
  }
}
