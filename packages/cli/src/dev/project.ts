import { existsSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { usage } from '../exit.ts'

/** The file of the server, from the words of the command line. */
export function serverFile(words: readonly string[], cwd: string): string {
  const [word, ...others] = words
  if (word === undefined) throw usage('Expected the file of a server', 'For example: tenon dev src/server.ts')
  if (others.length > 0)
    throw usage(
      `Expected one file, got ${JSON.stringify(others[0])} as well`,
      'What belongs to the file goes after --.',
    )
  const file = resolve(cwd, word)
  if (!existsSync(file)) throw usage(`There is no file ${word}`)
  if (!statSync(file).isFile()) throw usage(`Expected a file, and ${word} is none`)
  const extension = extname(file)
  if (extension !== '' && !/^\.[cm]?[jt]sx?$/i.test(extension)) {
    throw usage(
      `tenon dev runs JavaScript and TypeScript, and ${word} is neither`,
      'Any other program is used without reloading: tenon repl -- <program> [argument…]',
    )
  }
  return file
}

/** The folder of the project: the nearest one with a package.json. */
export function projectFolder(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) return dirname(file)
  }
}
