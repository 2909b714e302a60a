import { hasSecrets } from '@tenon/host/store'
import { configFolder } from '../config/folder.ts'

/** Whether anything was ever kept; quicker than to look into it. */
export const hasTokens = (env: NodeJS.ProcessEnv): boolean => hasSecrets(configFolder(env))
