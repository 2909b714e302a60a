#!/usr/bin/env node
import { connect } from '@tenon/sdk/client'
import { overview } from './overview.ts'

const [target, ...args] = process.argv.slice(2)
if (target === undefined) {
  console.error('Usage: project-name <url>\n       project-name <program> [argument…]')
  process.exit(2)
}

await using client = await connect(/^https?:/.test(target) ? target : { command: target, args }, {
  info: { name: 'project-name', version: '0.1.0' },
})
console.log(await overview(client))
