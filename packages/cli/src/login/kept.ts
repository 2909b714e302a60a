import { tenonFolder } from '@tenon/host/folder'
import { hasSecrets } from '@tenon/host/store'

/** Whether anything was ever kept; quicker than to look into it. */
export const hasTokens = (env: NodeJS.ProcessEnv): boolean => hasSecrets(tenonFolder({ env }))
