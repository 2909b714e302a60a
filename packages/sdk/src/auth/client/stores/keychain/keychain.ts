import { McpError } from '../../../../errors.ts'
import { dpapiKeychain } from './dpapi.ts'
import { secretToolKeychain } from './secret-tool.ts'
import { securityKeychain } from './security.ts'

/** One secret of the user, kept by the system. */
export interface Keychain {
  /** Undefined if there is none yet. */
  get(): Promise<string | undefined>
  set(secret: string): Promise<void>
}

/** The keychain of this system; `file` is where its secret may be kept if the system only encrypts. */
export function systemKeychain(service: string, file: string, platform: string = process.platform): Keychain {
  // It becomes part of a command line of macOS' own.
  if (!/^[\w.-]{1,100}$/.test(service)) {
    const found = JSON.stringify(service)
    throw new McpError('invalid_argument', `service: expected letters, digits, ".", "_" and "-", got ${found}`)
  }
  if (platform === 'darwin') return securityKeychain(service)
  if (platform === 'win32') return dpapiKeychain(`${file}.key`)
  return secretToolKeychain(service)
}
