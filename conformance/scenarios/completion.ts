import type { Scenario } from '../runner/script.ts'

const page = { type: 'ref/resource', uri: 'library:///{shelf}/{page}' }
const greet = { type: 'ref/prompt', name: 'greet' }

export const completion: Scenario = {
  topic: 'completion',
  play(script) {
    script.open()
    script.note('An argument of a prompt that is one of a few values.', 'complete.capability')
    script.request('completion/complete', { ref: greet, argument: { name: 'tone', value: 'f' } })
    script.request('completion/complete', { ref: greet, argument: { name: 'tone', value: 'fr' } })
    script.note('An argument with nothing to suggest.')
    script.request('completion/complete', { ref: greet, argument: { name: 'name', value: 'A' } })
    script.note('A variable of a template.')
    script.request('completion/complete', { ref: page, argument: { name: 'shelf', value: '' } })
    if (script.since('2025-06-18')) {
      script.note('What was chosen before is taken into account.')
      const context = { arguments: { shelf: 'birds' } }
      script.request('completion/complete', { ref: page, argument: { name: 'page', value: 'o' }, context })
    }
    script.note('What went wrong inside is not told.', 'complete.errors', 'rpc.codes.internal-error')
    const echo = { type: 'ref/resource', uri: 'echo:///{+path}' }
    script.request('completion/complete', { ref: echo, argument: { name: 'path', value: '' } })
    script.note('At most a hundred, and the client is told how many there are.', 'complete.max-100')
    const value = { name: 'value', value: '' }
    script.request('completion/complete', { ref: { type: 'ref/resource', uri: 'number:///{value}' }, argument: value })
    script.note(
      'What does not exist cannot be completed.',
      ...['complete.errors', 'complete.validate-inputs', 'rpc.codes.invalid-params'],
    )
    script.request('completion/complete', { ref: { type: 'ref/prompt', name: 'nobody' }, argument: value })
    script.request('completion/complete', { ref: { type: 'ref/resource', uri: 'note:///{x}' }, argument: value })
    script.request('completion/complete', { ref: greet, argument: { name: 'colour', value: '' } })
    script.request('completion/complete', { ref: { type: 'ref/tool', name: 'add' }, argument: value }, { broken: true })
    script.request('completion/complete', { ref: greet }, { broken: true })
    script.request('completion/complete', undefined, { broken: true })
  },
}
