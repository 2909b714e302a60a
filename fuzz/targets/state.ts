import fc from 'fast-check'
import { isRpcError } from '../../packages/sdk/src/errors.ts'
import { StateSeal } from '../../packages/sdk/src/server/stateless/state-seal.ts'
import { mutatedText } from '../lib/mutate.ts'
import { assert, assertEqual, type Target, target } from '../lib/target.ts'

const seal = new StateSeal({ keys: ['k'.repeat(32)] })
const sealed = await seal.seal({ answers: { a: 1 } }, 'tools/call x')

export const state: Target = target({
  name: 'state',
  claim: 'sealed state that was changed in any way is refused',
  inputs: fc.record({ text: mutatedText(fc.constant(sealed)), bound: fc.constantFrom('tools/call x', 'tools/call y') }),
  async check({ text, bound }) {
    const isSame = text === sealed && bound === 'tools/call x'
    try {
      const { data } = await seal.open(text, bound)
      assert(isSame, `opened ${JSON.stringify(text)} for ${bound}`)
      assertEqual(data, { answers: { a: 1 } }, 'data')
    } catch (error) {
      if (isSame) throw error
      assert(isRpcError(error), `threw ${String(error)}`)
    }
  },
})
