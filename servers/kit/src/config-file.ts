import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { Misuse } from './misuse.ts'

const maxConfigBytes = 1_000_000

/** A config file: a JSON object, with comments and trailing commas. */
export interface ConfigFile {
  readonly path: string
  /** Reads it anew. A file that cannot be read or understood throws a `Misuse` that names the place. */
  read(): { [name: string]: unknown }
  /** Calls back when the file changed, until the returned function is called. */
  watch(changed: () => void): () => void
}

export const configFile = (path: string): ConfigFile => ({
  path,
  read: () => readConfig(path),
  watch: (changed) => watchConfig(path, changed),
})

function readConfig(file: string): { [name: string]: unknown } {
  const text = readText(file)
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length
    throw new Misuse(`${file}, line ${line}: not JSON: ${printParseErrorCode(error.error)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Misuse(`${file}: expected an object of settings, such as { "readOnly": true }`)
  }
  return Object.fromEntries(Object.entries(value))
}

function readText(file: string): string {
  try {
    const found = statSync(file)
    // Reading a pipe would wait for its other end.
    if (!found.isFile()) throw new Misuse(`${file}: expected a file`)
    const { size } = found
    if (size > maxConfigBytes) throw new Misuse(`${file}: expected at most ${maxConfigBytes} bytes, got ${size}`)
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof Misuse) throw error
    throw new Misuse(`cannot read the config file ${file}: ${(error as Error).message}`)
  }
}

/** The file is asked for its state instead of watched by the system: editors replace files, network folders report nothing. */
function watchConfig(file: string, changed: () => void): () => void {
  watchFile(file, { interval: 500, persistent: false }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) changed()
  })
  return () => unwatchFile(file)
}
