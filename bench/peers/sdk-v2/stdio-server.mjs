import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { definition } from './definition.mjs'

serveStdio(() => definition())
