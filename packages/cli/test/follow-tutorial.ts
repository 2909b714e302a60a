/** Follows a tutorial from an empty folder to the end, on a machine with the packages, a home and nothing else. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { startStandIn } from '../../../examples/weather/src/stand-in.ts'
import { pack, withDependencies } from '../../../scripts/pack.mjs'
import { readPage } from '../../../scripts/read-page.ts'
import { startRegistry } from './registry.ts'
import { cleanEnv } from './tenon.ts'

const exec = promisify(execFile)
export const root: string = fileURLToPath(new URL('../../../', import.meta.url))

/** The words that install the packages: as a page has them, and as it will have them when they are published. */
export const waysToInstall = ['a clone', 'the packed tarballs'] as const

const fromClone = /(?:\.\.\/tenon\/packages\/\w+ ?)+/

/** The home of the reader, after the last line of the page. */
export async function followTutorial(
  page: string,
  way: (typeof waysToInstall)[number],
  variables: { [name: string]: string } = {},
): Promise<string> {
  await using registry = await startRegistry()
  await using weather = await startStandIn()
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-tutorial-')))
  onTestFinished(() => rmSync(home, { recursive: true }))
  symlinkSync(root, join(home, 'tenon'))
  mkdirSync(join(home, 'tarballs'))
  const packed = way === 'a clone' ? [] : await pack(withDependencies(['@tenon/sdk', 'tenon']), join(home, 'tarballs'))
  const tarballs = `${packed.map(({ path }) => path).join(' ')} `
  // Every program that is started finds the stand-in instead of the weather service, whichever variables it inherits.
  mkdirSync(join(home, 'bin'))
  const node = `#!/bin/sh\nWEATHER_API='${weather.url}' exec '${process.execPath}' "$@"\n`
  writeFileSync(join(home, 'bin/node'), node, { mode: 0o755 })
  const env = {
    ...cleanEnv(home),
    ...variables,
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    npm_config_registry: registry.url,
    npm_config_update_notifier: 'false',
  }

  let cwd = home
  await readPage(join(root, page), {
    type: async (line) => {
      const place = join(home, '.place')
      const typed = way === 'a clone' ? line : line.replace(fromClone, tarballs)
      const script = `{ ${typed}\n} 2>&1; code=$?; pwd > '${place}'; exit $code`
      const { stdout } = await exec('bash', ['-c', script], { cwd, env, timeout: 120_000 }).catch((failed) => failed)
      cwd = readFileSync(place, 'utf8').trim()
      return stdout.replaceAll(home, '/home/ada')
    },
    save: (name, text) => {
      const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(cwd, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text.replaceAll('/home/ada', home))
    },
  })
  return home
}
