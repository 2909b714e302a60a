import { createRequire } from 'node:module'

/** A dependency of @tenon/sdk, in the version that it uses itself. */
export const fromSdk = createRequire(createRequire(import.meta.url).resolve('@tenon/sdk/package.json'))
