import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, type ConnectOptions, connect, type ToolCallResult } from '@tenon/sdk/client'

export const bin: string = fileURLToPath(new URL('../bin/tenon-filesystem.js', import.meta.url))
export const root: string = fileURLToPath(new URL('../../../', import.meta.url))

/** The program that this server replaces, as npm has it. */
export const original: string = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json')),
  'dist/index.js',
)

/** A folder that may be used, one beside it that may not, and a trash. */
export interface Sandbox extends Disposable {
  readonly base: string
  readonly allowed: string
  readonly outside: string
  readonly trash: string
}

export function sandbox(): Sandbox {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-files-')))
  const [allowed, outside, trash] = ['allowed', 'outside', 'trash'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [allowed, outside, trash]) mkdirSync(folder)
  writeFileSync(join(outside, 'secret.txt'), 'the secret')
  return { base, allowed, outside, trash, [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }) }
}

/** Writes files below a folder; a value with an arrow in front is a link. */
export function plant(folder: string, files: { [path: string]: string | Uint8Array }): void {
  for (const [path, contents] of Object.entries(files)) {
    const full = join(folder, path)
    mkdirSync(dirname(full), { recursive: true })
    if (typeof contents === 'string' && contents.startsWith('-> ')) symlinkSync(contents.slice(3), full)
    else writeFileSync(full, contents)
  }
}

/** Starts the built program. */
export const start = (args: readonly string[], options: ConnectOptions = {}): Promise<Client> =>
  connect({ command: process.execPath, args: [bin, ...args] }, { revisions: ['2025-11-25'], ...options })

/** Starts our program for a sandbox. */
export const open = ({ allowed, trash }: Sandbox, args: string[] = [], options: ConnectOptions = {}): Promise<Client> =>
  start(['--trash', trash, ...args, allowed], options)

export const startOriginal = (folders: readonly string[], options: ConnectOptions = {}): Promise<Client> =>
  connect({ command: process.execPath, args: [original, ...folders] }, { revisions: ['2025-11-25'], ...options })

export interface Answer {
  [name: string]: unknown
  content: string
}

/** The structured content of a call that must succeed. */
export async function ok(client: Client, name: string, args: object): Promise<Answer> {
  const result: ToolCallResult = await client.callTool(name, args as never)
  if (result.isError) throw new Error(`${name}: ${result.text}`)
  return result.structured as Answer
}

/** The text of a call that must be refused. */
export async function refused(client: Client, name: string, args: object): Promise<string> {
  const result = await client.callTool(name, args as never)
  if (!result.isError) throw new Error(`${name} was not refused: ${result.text.slice(0, 500)}`)
  return result.text
}
