import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProcessConfig } from '../src/index.ts'

const program = fileURLToPath(new URL('programs/scripted-server.mjs', import.meta.url))

/** A server process that does what its script says; the script can be changed while it runs. */
export interface ScriptedServer extends Disposable {
  readonly config: ProcessConfig
  /** Its folder, which is removed at the end. */
  readonly folder: string
  write(script: Script): void
}

export interface Script {
  tools?: object[]
  resources?: object[]
  prompts?: object[]
  /** Results by tool; a tool without one returns its arguments. */
  results?: { [tool: string]: object }
  /** Requests that a tool sends to the client; the answer is its result. */
  asks?: { [tool: string]: { method: string; params?: object } }
  /** Tools that end the process. */
  crashes?: string[]
  /** Ends the process at its start. */
  dies?: boolean
  /** Methods that are never answered. */
  silent?: string[]
}

export function scripted(script: Script, label = 'scripted'): ScriptedServer {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-host-'))
  const file = join(folder, 'script.json')
  const write = (next: Script): void => writeFileSync(file, JSON.stringify(next))
  write(script)
  return {
    folder,
    write,
    config: { command: process.execPath, args: [program, file, label], prefer: 'session' },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
