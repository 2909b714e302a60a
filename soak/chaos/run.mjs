#!/usr/bin/env node
import { runSource } from '../../scripts/run-source.mjs'

await runSource(new URL('main.ts', import.meta.url))
process.exit()
