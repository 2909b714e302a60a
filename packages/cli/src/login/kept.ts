import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tenonFolder } from '@tenon/host/folder'

/** The tokens, readable by the user only. */
export const plainFile = 'tokens.json'
/** The tokens, encrypted with a key of the keychain. */
export const sealedFile = 'tokens.sealed.json'

/** Whether anything was ever kept; quicker than to look into it. */
export const hasTokens = (env: NodeJS.ProcessEnv): boolean =>
  [plainFile, sealedFile].some((file) => existsSync(join(tenonFolder({ env }), file)))
