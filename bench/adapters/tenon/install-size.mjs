import { fileURLToPath } from 'node:url'

export const packages = [fileURLToPath(new URL('../../../packages/sdk', import.meta.url))]
