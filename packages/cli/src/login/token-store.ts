import { tenonFolder } from '@tenon/host/folder'
import { hasSecrets, type SecretPlace, secretPlace } from '@tenon/host/store'

/** The store of tokens, and the lock that several commands share. */
export type TokenPlace = Pick<SecretPlace, 'store' | 'lock'>

/** The keychain where there is one, otherwise a file that only the user can read: the workbench has them there too. */
export const tokenPlace = (env: NodeJS.ProcessEnv): Promise<TokenPlace> => secretPlace(tenonFolder({ env }), env)

/** True if tokens were ever stored; cheaper than reading them. */
export const hasTokens = (env: NodeJS.ProcessEnv): boolean => hasSecrets(tenonFolder({ env }))
