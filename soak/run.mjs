#!/usr/bin/env node
import { runSource } from '../scripts/run-source.mjs'

await runSource(new URL('main.ts', import.meta.url))
// Open handles have been reported, and must not keep the process alive.
process.exit()
