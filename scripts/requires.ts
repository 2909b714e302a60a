import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestOptions } from 'vitest'
import { findChromium, findPostgres, findProgram } from './programs.mjs'
import { canMakeSmallDisk } from './small-disk.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The test is skipped because this is missing. */
    missing?: Need
  }
}

/** Something that tests need beyond Node, npm and git. */
export type Need = keyof typeof needs

interface NeedInfo {
  /** Completes "4 tests need". */
  name: string
  isHere(): boolean
  /** True if `scripts/install-test-material` installs it; else it depends on the system. */
  installable: boolean
}

const program = (...names: string[]): Omit<NeedInfo, 'name'> => ({
  isHere: () => names.every((name) => findProgram(name) !== undefined),
  installable: true,
})

/** Every reason for which a test may be skipped. */
export const needs = {
  chromium: { name: 'Chromium', isHere: () => findChromium() !== undefined, installable: true },
  zsh: { name: 'zsh', ...program('zsh') },
  fish: { name: 'fish', ...program('fish') },
  openssl: { name: 'openssl', ...program('openssl') },
  redis: { name: 'Redis', ...program('redis-server') },
  nginx: { name: 'nginx', ...program('nginx') },
  keyring: { name: 'a keyring', ...program('secret-tool', 'gnome-keyring-daemon', 'dbus-run-session') },
  postgres: { name: 'PostgreSQL', isHere: () => findPostgres() !== undefined, installable: true },
  'json-schema-suite': {
    name: 'the JSON Schema test suite',
    isHere: () => findJsonSchemaSuite() !== undefined,
    installable: true,
  },
  'python-servers': {
    name: 'the original servers in Python',
    isHere: () => ['time', 'git', 'fetch', 'sqlite'].every((name) => existsSync(pythonServer(name))),
    installable: true,
  },
  linux: { name: 'Linux', isHere: () => process.platform === 'linux', installable: false },
  posix: { name: 'a system other than Windows', isHere: () => process.platform !== 'win32', installable: false },
  proc: { name: '/proc', isHere: () => existsSync('/proc/self/stat'), installable: false },
  'small-disk': { name: 'a small disk (unshare, tmpfs)', isHere: canMakeSmallDisk, installable: false },
  'not-root': { name: 'a user other than root', isHere: () => process.getuid?.() !== 0, installable: false },
} satisfies { [need: string]: NeedInfo }

/**
 * Options of a test or group that needs something. If it is missing, the test is skipped and the last line of the run
 * says so. Nothing else skips tests.
 *
 * @example describe('zsh', requires('zsh'), () => {})
 */
export function requires(...wanted: readonly Need[]): Pick<TestOptions, 'skip' | 'meta'> {
  const missing = wanted.find((need) => !needs[need].isHere())
  return missing === undefined ? {} : { skip: true, meta: { missing } }
}

/** The program of an original reference server in Python, such as `time`; there if `python-servers` is. */
export const pythonServer = (name: string): string =>
  fileURLToPath(new URL(`../.test-material/python/bin/mcp-server-${name}`, import.meta.url))

/** Fails with the missing command, for tests that run the built package. */
export function requireBuild(): void {
  if (!existsSync(new URL('../packages/sdk/dist/node.mjs', import.meta.url)))
    throw new Error('Run `npm run build` first')
}

/** The folder of the official JSON Schema test suite: `JSON_SCHEMA_TEST_SUITE`, or Debian's. */
export function findJsonSchemaSuite(): string | undefined {
  const isSuite = (folder: string): boolean => existsSync(join(folder, 'tests/draft7'))
  const named = process.env.JSON_SCHEMA_TEST_SUITE
  if (named && !isSuite(named)) {
    throw new Error(`JSON_SCHEMA_TEST_SUITE: expected a folder with tests/draft7, got "${named}"`)
  }
  return [named, '/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance'].find(
    (place) => place && isSuite(place),
  )
}
