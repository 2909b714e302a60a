import type { Keychain } from './keychain.ts'
import { failed, runTool, type SystemTool } from './run-tool.ts'

const notFound = 44

/** The keychain of macOS. */
export function securityKeychain(service: string, command = '/usr/bin/security'): Keychain {
  const tool: SystemTool = { command, install: 'it is part of macOS; use fileStore' }
  return {
    async get() {
      const ran = await runTool(tool, ['find-generic-password', '-s', service, '-a', 'tenon', '-w'])
      if (ran.code === 0) return ran.stdout.trim()
      if (ran.code === notFound) return undefined
      throw failed(tool, ran)
    },
    async set(secret) {
      // Its own prompt takes commands from standard input; the secret would be an argument otherwise.
      const line = `add-generic-password -U -s "${service}" -a "tenon" -w "${secret}"\n`
      const ran = await runTool(tool, ['-i'], line)
      // The prompt ends well even if a command did not.
      if (ran.code !== 0 || (await this.get()) !== secret) throw failed(tool, ran)
    },
  }
}
