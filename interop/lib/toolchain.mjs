// Programs of peers in compiled languages: built once, and again when their sources change.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The places of installers that leave PATH alone. */
const usualFolders = ['/usr/local/go/bin', join(homedir(), '.cargo', 'bin')]

/**
 * The programs of a folder: `sources` decide whether they have to be built anew, `output` is the folder for the results, and
 * `command` with `args` builds them.
 */
export function compiled({ folder, language, sources, output, command, args }) {
  const stamp = join(folder, output, 'built.txt')
  const fingerprint = () => {
    const hash = createHash('sha256')
    for (const file of sources) hash.update(readFileSync(join(folder, file)))
    return hash.digest('hex')
  }
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
  return {
    isBuilt,
    /** Builds the programs if necessary; the reason if the toolchain is missing. Fails if the build fails. */
    prepare(say) {
      if (isBuilt()) return undefined
      const tool = find(command)
      if (tool === undefined) return `${command} is not installed`
      say(`building the peers in ${language} (${folder})`)
      execFileSync(tool, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
      mkdirSync(join(folder, output), { recursive: true })
      writeFileSync(stamp, fingerprint())
      return undefined
    },
  }
}

const find = (command) =>
  [command, ...usualFolders.map((folder) => join(folder, command))].find((one) => {
    try {
      execFileSync(one, [command === 'go' ? 'version' : '--version'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })

export const executable = (name) => (process.platform === 'win32' ? `${name}.exe` : name)
