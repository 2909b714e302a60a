import { serveStdio } from '@tenon/sdk/stdio'
import { definition } from './definition.mjs'

await serveStdio(definition(), { maxLineBytes: 64 * 1024 * 1024 })
