#!/usr/bin/env node
// Four processes of a server behind a balancer, with a Redis of their own: node scripts/balanced/run.mjs <script> [arguments]
import { runSource } from '../run-source.mjs'

await runSource(new URL('main.ts', import.meta.url))
