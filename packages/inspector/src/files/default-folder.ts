import { join } from 'node:path'
import { tenonFolder } from '@tenon/host/folder'

/** The default folder of the workbench, beside the configuration of this person. */
export const defaultFolder = (env: NodeJS.ProcessEnv = process.env): string => tenonFolder({ env })

/** The folder of saved calls. */
export const callsFolderIn = (folder: string): string => join(folder, 'calls')

/** The folder of files for `tenon eval`. */
export const evalsFolderIn = (folder: string): string => join(folder, 'eval-cases')
