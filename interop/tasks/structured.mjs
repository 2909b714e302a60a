import { check, equal, textOf } from '../lib/check.mjs'

export default {
  name: 'structured',
  title: 'structured',
  needs: 'structured',
  about: 'structured content, with the schema it was announced with',
  shows: ['tools.result.structured-object', 'tools.result.structured-also-text', 'tools.result.output-schema-conform'],
  async run({ open, work: { structured } }) {
    const session = await open()
    const tool = (await session.tools()).find(({ name }) => name === structured.name)
    const result = await session.call(structured.name, structured.arguments)
    check(!result.isError, `no error: ${textOf(result)}`)
    // Revisions before 2025-06-18 have it as text only.
    if (session.revision < '2025-06-18') return equal(JSON.parse(textOf(result)), structured.content, 'text')
    check(tool?.outputSchema?.type === 'object', 'the tool has an output schema')
    equal(result.structured, structured.content, 'structured content')
  },
}
