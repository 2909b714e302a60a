import { join } from 'node:path'
import { tenonFolder } from '@tenon/host/folder'

/** Where the workbench keeps what outlives it unless somebody says otherwise: with the configuration of this person. */
export const defaultFolder = (env: NodeJS.ProcessEnv = process.env): string => tenonFolder({ env })

/** The folder of saved calls. */
export const callsFolderIn = (folder: string): string => join(folder, 'calls')
