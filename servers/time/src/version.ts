import { versionOf } from '@tenon/server-kit'

/** As published. */
export const version: string = versionOf(import.meta.url)
