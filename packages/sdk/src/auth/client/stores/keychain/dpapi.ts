import { replaceFile } from '../../../../files/replace-file.ts'
import { builtin } from '../../../../internal/builtin.ts'
import type { Keychain } from './keychain.ts'
import { failed, runTool, type SystemTool } from './run-tool.ts'

const script = (direction: 'Protect' | 'Unprotect'): string =>
  `$ErrorActionPreference = 'Stop'; Add-Type -AssemblyName System.Security; ` +
  '$given = [Convert]::FromBase64String([Console]::In.ReadToEnd().Trim()); ' +
  `[Convert]::ToBase64String([Security.Cryptography.ProtectedData]::${direction}($given, $null, 'CurrentUser'))`

const powershell = (): string =>
  `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`

/** Windows encrypts for the user (DPAPI), and the secret is kept in a file. */
export function dpapiKeychain(file: string, command: string = powershell()): Keychain {
  const tool: SystemTool = { command, install: 'it is part of Windows; use fileStore' }
  const fs = builtin('node:fs/promises')!
  const convert = async (direction: 'Protect' | 'Unprotect', base64: string): Promise<string> => {
    const args = ['-NoProfile', '-NonInteractive', '-Command', script(direction)]
    const ran = await runTool(tool, args, base64)
    if (ran.code !== 0) throw failed(tool, ran)
    return ran.stdout.trim()
  }
  return {
    async get() {
      const kept = await fs.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      return kept === undefined ? undefined : convert('Unprotect', kept)
    },
    async set(secret) {
      await replaceFile(file, await convert('Protect', secret))
    },
  }
}
