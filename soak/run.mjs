#!/usr/bin/env node
import { runSource } from '../scripts/run-source.mjs'

await runSource(new URL('main.ts', import.meta.url))
// What was left open has been reported, and shall not keep anybody waiting.
process.exit()
