import type { Keychain } from './keychain.ts'
import { failed, runTool, type SystemTool } from './run-tool.ts'

const tool: SystemTool = {
  command: 'secret-tool',
  install:
    'install libsecret-tools (Debian, Ubuntu) or libsecret (Fedora, Arch) and a keyring such as gnome-keyring, or use fileStore',
}

/** The keyring of a Linux or BSD desktop, by the Secret Service. */
export function secretToolKeychain(service: string): Keychain {
  const attributes = ['service', service, 'account', 'tenon']
  return {
    async get() {
      const ran = await runTool(tool, ['lookup', ...attributes])
      if (ran.code === 0) return ran.stdout.trim()
      // It says nothing if there is nothing.
      if (ran.code === 1 && ran.stderr.trim() === '') return undefined
      throw failed(tool, ran)
    },
    async set(secret) {
      const ran = await runTool(tool, ['store', `--label=${service}`, ...attributes], secret)
      if (ran.code !== 0) throw failed(tool, ran)
    },
  }
}
