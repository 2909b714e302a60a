import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openPolicy, Pins, parsePolicy, pinFile } from '../../src/policy.ts'
import { pinsSuite } from './pins.suite.ts'
import { callerOf, requestOf, toolOf } from './requests.ts'

const place = mkdtempSync(join(tmpdir(), 'tenon-gateway-pins-'))
let files = 0
afterAll(() => rmSync(place, { recursive: true }))

describe('pins in a file', () => pinsSuite(async () => pinFile(join(place, `${++files}`, 'pins.json'))))

test('an item that is not approved is neither listed nor called, and its error is that of an unknown name', async () => {
  const file = join(place, 'gate.json')
  await using opened = await openPolicy({ policy: parsePolicy({ default: 'allow', pins: { file } }) })
  const { gatekeeper } = opened
  const ada = callerOf('ada')
  expect(gatekeeper.isListed(ada, 'team', toolOf('read'))).toBe(true)
  const changed = toolOf('read', { description: 'other' })
  expect(gatekeeper.isListed(ada, 'team', changed)).toBe(false)
  expect(gatekeeper.explain(ada, 'team', changed)).toMatchObject({ effect: 'allow', isPinned: false, isListed: false })
  await expect(gatekeeper.admit(requestOf(ada, changed))).rejects.toMatchObject({ message: 'Unknown tool: "read"' })
  await opened.pins!.written()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    version: 1,
    pins: [{ name: 'read', by: 'first use' }],
  })
})

test.each(['', '{', '[]', 'null', '{"version":2,"pins":[]}', '{"version":1,"pins":[{"name":1}]}'])(
  'a file with %j approves nothing',
  async (text) => {
    const file = join(place, 'bad.json')
    writeFileSync(file, text)
    await expect(Pins.open({ store: pinFile(file), firstUse: 'approve' })).rejects.toThrow(/expected pins of version 1/)
  },
)
