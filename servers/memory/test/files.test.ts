import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultMemoryFile } from '../src/data-folder.ts'
import { call, create, entity, namesIn, namesOf, open, original, ours, start, testFolder } from './helpers.ts'

const line = (value: object): string => `${JSON.stringify(value)}\n`
const entityLine = (name: string, ...observations: string[]): string =>
  line({ type: 'entity', name, entityType: 'thing', observations })

test('without a file named, the memory is in the data folder of the user', () => {
  expect(defaultMemoryFile({ XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/tenon-memory/memory.jsonl')
  const usual = join(homedir(), '.local/share/tenon-memory/memory.jsonl')
  expect(defaultMemoryFile({}, 'linux')).toBe(usual)
  expect(defaultMemoryFile({ XDG_DATA_HOME: 'data' }, 'linux')).toBe(usual)
  expect(defaultMemoryFile({}, 'darwin')).toBe(join(homedir(), 'Library/Application Support/tenon-memory/memory.jsonl'))
  expect(defaultMemoryFile({ APPDATA: '/roaming' }, 'win32')).toBe('/roaming/tenon-memory/memory.jsonl')
})

test('the process makes its folder and file for the user alone', async () => {
  const home = testFolder()
  const client = await start({
    command: process.execPath,
    args: ours('').args!.slice(0, 1),
    env: { XDG_DATA_HOME: home },
  })
  await create(client, 'Ada')
  await client.close()
  const file = join(home, 'tenon-memory/memory.jsonl')
  expect(namesIn(file)).toEqual(['Ada'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
})

test('the file of the original is read, and what we write the original reads', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  const first = await start(original(file))
  await create(first, 'Ada', 'Bob')
  await first.callTool('create_relations', { relations: [{ from: 'Ada', to: 'Bob', relationType: 'knows' }] })
  const before = await call(first, 'read_graph')
  await first.close()

  const second = await start(ours(file))
  expect(await call(second, 'read_graph')).toEqual(before)
  await call(second, 'add_observations', { observations: [{ entityName: 'Ada', contents: ['new'] }] })
  await call(second, 'delete_entities', { entityNames: ['Bob'] })
  await create(second, 'Eve')
  await second.close()

  const third = await start(original(file))
  expect(await call(third, 'read_graph')).toEqual({
    entities: [entity('Ada', 'about Ada', 'new'), entity('Eve', 'about Eve')],
    relations: [],
  })
  await create(third, 'Zoe')
  await third.close()
  const fourth = await start(ours(file))
  expect(namesOf(await call(fourth, 'read_graph'))).toEqual(['Ada', 'Eve', 'Zoe'])
})

test('a rewrite by the original is joined with the changes of a running server', async () => {
  const { client, file, close } = await open()
  await create(client, 'Ada')
  const other = await start(original(file))
  await create(other, 'Bob')
  expect(namesOf(await call(client, 'read_graph')).sort()).toEqual(['Ada', 'Bob'])
  await create(client, 'Eve')
  await close()
  expect(namesIn(file).sort()).toEqual(['Ada', 'Bob', 'Eve'])
})

test('an edit by hand is taken over while the server runs', async () => {
  const first = await open()
  await create(first.client, 'Ada', 'Bob')
  await first.close()
  const { client, file, close } = await open({ file: first.file })
  await create(client, 'Eve')
  writeFileSync(file, readFileSync(file, 'utf8').replace('about Bob', 'about Bob, edited'))
  expect((await call(client, 'open_nodes', { names: ['Bob'] })).entities).toEqual([entity('Bob', 'about Bob, edited')])
  await close()
  expect(readFileSync(file, 'utf8')).toContain('about Bob, edited')
  expect(namesIn(file)).toEqual(['Ada', 'Bob', 'Eve'])
})

test('a line that cannot be read is reported and kept, and the others are read; the original reads none', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  const bad = [
    '{"type":"entity","name":"Torn',
    '{"type":"entity","name":"x","entityType":"y","observations":[1]}',
    '[]',
    '7',
  ]
  const unknown = line({ type: 'note', text: 'kept as it is' })
  writeFileSync(file, `${entityLine('Ada')}${bad.join('\n')}\n${unknown}${entityLine('Bob')}`)
  const weak = await start(original(file))
  expect(await weak.callTool('read_graph')).toMatchObject({ isError: true })

  const { client, reports, close } = await open({ file })
  expect(namesOf(await call(client, 'read_graph'))).toEqual(['Ada', 'Bob'])
  expect(reports[0]).toContain('line 2 is kept as it is')
  expect(reports).toHaveLength(3)
  expect(await call(client, 'list_namespaces')).toMatchObject({
    namespaces: [
      { unreadable: [{ line: 2, problem: 'expected JSON' }, { line: 3 }, { line: 5, problem: 'expected an object' }] },
    ],
  })
  await create(client, 'Eve')
  await close()
  const after = readFileSync(file, 'utf8')
  expect(after).toContain(unknown)
  expect(after).toContain(JSON.stringify(bad[0]))
  expect(namesOf(await call(weak, 'read_graph'))).toEqual(['Ada', 'Bob', 'Eve'])
  const again = await open({ file })
  expect(again.reports).toHaveLength(3)
})

test('a name that is in the file twice is one entity', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  writeFileSync(file, entityLine('Ada', 'one', 'two') + entityLine('Ada', 'two', 'three'))
  const { client } = await open({ file })
  expect((await call(client, 'read_graph')).entities).toEqual([entity('Ada', 'one', 'two', 'three')])
})

test('a file that is only read is not touched', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  writeFileSync(file, `${entityLine('Ada')}not JSON\n`)
  const { mtimeMs } = statSync(file)
  const { client, close } = await open({ file })
  await call(client, 'search_nodes', { query: 'ada' })
  await close()
  expect(statSync(file).mtimeMs).toBe(mtimeMs)
  expect(readdirSync(dirname(file))).toEqual(['memory.jsonl'])
})

test('a link to the file stays a link, and the file keeps its mode', async () => {
  const folder = testFolder()
  const target = join(folder, 'target.jsonl')
  writeFileSync(target, entityLine('Ada'), { mode: 0o640 })
  symlinkSync(target, join(folder, 'memory.jsonl'))
  const { client, close } = await open({ file: join(folder, 'memory.jsonl') })
  await create(client, 'Bob')
  await close()
  expect(namesIn(target)).toEqual(['Ada', 'Bob'])
  expect(statSync(target).mode & 0o777).toBe(0o640)
})

test('the end of a log that its writer did not finish is removed before the next change', async () => {
  const first = await open()
  await create(first.client, 'Ada')
  appendFileSync(`${first.file}.log`, '{"seq":2,"at":"2026-01-01","tool":"create_entities","effects":[{"op":"cre')
  const second = await open({ file: first.file })
  expect(namesOf(await call(second.client, 'read_graph'))).toEqual(['Ada'])
  await create(second.client, 'Bob')
  expect(namesOf(await call(first.client, 'read_graph'))).toEqual(['Ada', 'Bob'])
  await second.close()
  expect(namesIn(first.file)).toEqual(['Ada', 'Bob'])
})

test('a damaged line of the log is reported and kept, and the others count', async () => {
  const first = await open()
  await create(first.client, 'Ada')
  appendFileSync(`${first.file}.log`, 'damaged\n')
  await create(first.client, 'Bob')
  const second = await open({ file: first.file })
  expect(second.reports[0]).toContain('expected a change in the log')
  expect(namesOf(await call(second.client, 'read_graph'))).toEqual(['Ada', 'Bob'])
  await second.close()
  expect(readFileSync(first.file, 'utf8')).toContain('"line":"damaged"')
})

test('a long log is moved into the file while others go on', async () => {
  const writer = await open()
  const reader = await open({ file: writer.file })
  const text = 'x'.repeat(90_000)
  for (let index = 0; index < 60; index++) {
    await call(writer.client, 'create_entities', { entities: [entity(`n${index}`, text)] })
    if (index % 7 === 0)
      expect(namesOf(await call(reader.client, 'open_nodes', { names: [`n${index}`] }))).toEqual([`n${index}`])
  }
  expect(existsSync(writer.file)).toBe(true)
  expect(statSync(`${writer.file}.log`).size).toBeLessThan(4_100_000)
  await create(reader.client, 'last')
  expect((await call<{ total: number }>(writer.client, 'search_nodes', { query: '' })).total).toBe(61)
})

test('a file without an ending has namespaces, too, and its log is none of them', async () => {
  const file = join(testFolder(), 'memory')
  const { client, close } = await open({ file })
  await create(client, 'Ada')
  await call(client, 'create_entities', { entities: [entity('Bob')], namespace: 'work' })
  await close()
  const second = await open({ file })
  const { namespaces } = await call<{ namespaces: { namespace: string }[] }>(second.client, 'list_namespaces')
  expect(namespaces.map(({ namespace }) => namespace)).toEqual(['default', 'work'])
})
