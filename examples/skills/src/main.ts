import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { skillsOf } from '@tenon/sdk/skills'

const server = fileURLToPath(new URL('server.js', import.meta.url))
await using client = await connect({ command: 'node', args: [server] })
const skills = skillsOf(client)

// A host shows the description to its model, and asks its user before it loads the rest.
const { skills: listed } = await skills.list()
for (const { uri, frontmatter } of listed) console.log(`${uri}: ${frontmatter.description}`)

const tea = listed[0]!
const { text } = await skills.read(tea)
console.log(text?.split('\n').find((line) => line.startsWith('1. ')))

// Each file is checked against the entry that the user agreed to: its size and its digest.
const table = await skills.read(tea, 'references/TIMES.md')
console.log(`${table.mimeType}, verified: ${table.verified}`)
assert.ok(table.verified)
