#!/usr/bin/env node
import { serveStdio } from '@tenon/sdk/stdio'
import { server } from './server.ts'

await serveStdio(server)
