import type { Scenario } from '../runner/script.ts'

export const prompts: Scenario = {
  topic: 'prompts',
  play(script) {
    script.open()
    script.note(
      'The list, page by page.',
      ...['prompts.list.paginated', 'page.operations', 'prompts.list.respond', 'cache.hints-required'],
    )
    script.request('prompts/list')
    script.request('prompts/list', { cursor: '<cursor-1>' })
    script.request('prompts/list', { cursor: 'nonsense' })
    script.note('With arguments.', 'prompts.get.result')
    script.request('prompts/get', { name: 'greet', arguments: { name: 'Ada', tone: 'formal' } })
    script.request('prompts/get', { name: 'greet', arguments: { name: 'Ada' } })
    script.note(
      'Every kind of content, as far as the revision has it.',
      ...['prompts.content.embedded-resource', 'prompts.content.image', 'prompts.content.audio'],
      'prompts.content.resource-link',
    )
    script.request('prompts/get', { name: 'review' })
    script.note('Missing or wrong arguments.', 'prompts.error.codes', 'prompts.validate-arguments')
    script.request('prompts/get', { name: 'greet' })
    script.request('prompts/get', { name: 'greet', arguments: { name: 'Ada', tone: 'rude' } })
    script.request('prompts/get', { name: 'greet', arguments: { name: 1 } }, { broken: true })
    script.note('A prompt that does not exist, and one without a name.', 'prompts.error.codes')
    script.request('prompts/get', { name: 'toString' })
    script.request('prompts/get', {}, { broken: true })
    script.note('What went wrong inside is not told.', 'prompts.error.codes', 'rpc.codes.internal-error')
    script.request('prompts/get', { name: 'broken' })
  },
}
