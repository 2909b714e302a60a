/** Fills a small disk through a server, and checks that nothing acknowledged is lost. Runs inside of scripts/small-disk.ts. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@tenon/sdk/client'

const [folder, bin] = process.argv.slice(2)
const file = join(folder, 'memory.jsonl')
const ballast = join(folder, 'ballast')
const expect = (condition, problem) => {
  if (condition) return
  console.error(problem)
  process.exit(1)
}

writeFileSync(ballast, Buffer.alloc(300_000))
const open = () =>
  connect({ command: process.execPath, args: [bin, file], stderr: 'ignore' }, { revisions: ['2025-11-25'] })
let client = await open()
const acknowledged = []
let refusal
for (let index = 0; index < 200; index++) {
  const entities = [{ name: `n${index}`, entityType: 'thing', observations: ['x'.repeat(20_000)] }]
  const { isError, text } = await client.callTool('create_entities', { entities })
  if (isError) refusal = text
  else acknowledged.push(`n${index}`)
}
expect(acknowledged.length > 5 && acknowledged.length < 100, `${acknowledged.length} writes fit`)
expect(refusal?.includes('the disk is full'), `expected a full disk, got ${refusal}`)

const names = async () => {
  const found = []
  for (let cursor; ; ) {
    const { structured } = await client.callTool('read_graph', cursor === undefined ? {} : { cursor })
    found.push(...structured.entities.map(({ name }) => name))
    cursor = structured.nextCursor
    if (cursor === undefined) return found.join()
  }
}
expect((await names()) === acknowledged.join(), 'a refused write is in memory')
await client.close()
client = await open()
expect((await names()) === acknowledged.join(), 'an acknowledged write is gone')

rmSync(ballast)
const entities = [{ name: 'after', entityType: 'thing', observations: [] }]
expect(!(await client.callTool('create_entities', { entities })).isError, 'still refused with room on the disk')
expect((await names()) === [...acknowledged, 'after'].join(), 'the write with room is missing')
await client.close()
const lines = readFileSync(`${file}.log`, 'utf8') + readFileSync(`${file}`, { encoding: 'utf8', flag: 'a+' })
expect(lines.includes('"after"'), 'nothing on the disk')
