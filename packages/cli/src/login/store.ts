import { tenonFolder } from '@tenon/host/folder'
import { type SecretPlace, secretPlace } from '@tenon/host/store'

/** Where tokens are kept, and the lock that several commands share. */
export type TokenPlace = Pick<SecretPlace, 'store' | 'lock'>

/** The keychain where there is one, otherwise a file that only the user can read: the workbench has them there too. */
export const tokenPlace = (env: NodeJS.ProcessEnv): Promise<TokenPlace> => secretPlace(tenonFolder({ env }), env)
