import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { type Bytes, NodeCipher, nodeCrypto, stateCipher, WebCipher } from './state-cipher.ts'
import { StateSeal } from './state-seal.ts'

const secret = new Uint8Array(40).map((_, index) => index)
const node = new NodeCipher(secret, nodeCrypto()!)
const web = new WebCipher(secret)
const bytes = (minLength: number, maxLength: number): fc.Arbitrary<Bytes> =>
  fc.uint8Array({ minLength, maxLength }).map((each) => new Uint8Array(each))

afterEach(() => vi.unstubAllGlobals())

test('both ways make the same bytes, and open what the other made', async () => {
  await fc.assert(
    fc.asyncProperty(bytes(12, 12), bytes(0, 50), bytes(0, 200), async (iv, bound, plain) => {
      const sealed = node.seal(iv, bound, plain)
      expect([...(await web.seal(iv, bound, plain))]).toEqual([...sealed])
      expect([...node.open(iv, bound, sealed)!]).toEqual([...plain])
      expect([...(await web.open(iv, bound, sealed))!]).toEqual([...plain])
    }),
  )
})

test.each([
  ['node:crypto', node],
  ['WebCrypto', web],
])('%s leaves room in front of what it sealed', async (_name, cipher) => {
  const iv = new Uint8Array(12)
  const plain = new Uint8Array([4, 5, 6])
  const sealed = [...(await cipher.seal(iv, iv, plain))]
  expect([...(await cipher.seal(iv, iv, plain, 13))].slice(13)).toEqual(sealed)
})

test.each([
  ['node:crypto', node],
  ['WebCrypto', web],
])(
  '%s opens nothing that was changed, cut, bound to something else or sealed with another key',
  async (_name, cipher) => {
    const iv = new Uint8Array(12).fill(1)
    const bound = new Uint8Array([1, 2, 3])
    const sealed = await cipher.seal(iv, bound, new Uint8Array([4, 5, 6]))
    expect([...(await cipher.open(iv, bound, sealed))!]).toEqual([4, 5, 6])
    for (let index = 0; index < sealed.length; index++) {
      const changed = sealed.map((byte, at) => (at === index ? byte ^ 1 : byte))
      expect(await cipher.open(iv, bound, changed)).toBeUndefined()
      expect(await cipher.open(iv, bound, sealed.slice(0, index))).toBeUndefined()
    }
    expect(await cipher.open(new Uint8Array(12), bound, sealed)).toBeUndefined()
    expect(await cipher.open(iv, new Uint8Array([1, 2]), sealed)).toBeUndefined()
    expect(await stateCipher(secret.slice(1)).open(iv, bound, sealed)).toBeUndefined()
  },
)

test.each([
  ['is no process', undefined],
  ['is no such module', { getBuiltinModule: () => undefined }],
  ['is half of it', { getBuiltinModule: () => ({ hkdfSync: () => new ArrayBuffer(32) }) }],
  [
    'is nothing to be asked',
    {
      getBuiltinModule: () => {
        throw new Error('not here')
      },
    },
  ],
])('where there %s, processes still open what others sealed', async (_case, process) => {
  const keys = ['k'.repeat(32)]
  const sealed = await new StateSeal({ keys }).seal({ a: 'ü' }, 'bound')
  vi.stubGlobal('process', process)
  const found = nodeCrypto()
  const elsewhere = new StateSeal({ keys })
  const [opening, sealing] = [elsewhere.open(sealed, 'bound'), elsewhere.seal({ b: 1 }, 'bound')]
  // Before anything is waited for: who runs this test needs its process.
  vi.unstubAllGlobals()
  expect(found).toBeUndefined()
  expect((await opening).data).toEqual({ a: 'ü' })
  expect((await new StateSeal({ keys }).open(await sealing, 'bound')).data).toEqual({ b: 1 })
})
