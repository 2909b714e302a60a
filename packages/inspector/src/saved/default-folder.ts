import { join } from 'node:path'
import { tenonFolder } from '@tenon/host/folder'

/** Where saved calls are kept unless somebody says otherwise: with the configuration of this person. */
export const defaultCallsFolder = (env: NodeJS.ProcessEnv = process.env): string => join(tenonFolder({ env }), 'calls')
