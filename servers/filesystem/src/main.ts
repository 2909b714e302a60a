import { Misuse, runProgram } from '@tenon/server-kit'
import { serveFiles } from './filesystem-server.ts'
import { settings } from './settings.ts'
import { version } from './version.ts'

await runProgram({
  name: 'tenon-filesystem',
  version,
  summary: 'Reads, writes, edits and searches files, in the folders that you allow and nowhere else.',
  settings,
  positional: { setting: 'folders', placeholder: 'FOLDER...' },
  examples: [
    ['tenon-filesystem ~/project', 'Allow one folder'],
    ['tenon-filesystem --read-only ~/notes', 'Change nothing'],
    ['tenon-filesystem', 'Allow the roots of the client'],
  ],
  async open(current) {
    const problems: string[] = []
    const { server, workspace, close } = serveFiles(current, (problem) => {
      problems.push(problem)
      process.stderr.write(`tenon-filesystem: ${problem}; it is left out\n`)
    })
    const found = await workspace.folders.configured
    if (found.length === 0 && problems.length > 0) throw new Misuse(problems[0]!)
    return { server, close }
  },
})
