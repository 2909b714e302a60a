import { check, includes } from '../lib/check.mjs'

export default {
  name: 'tools',
  title: 'list tools',
  needs: 'tools',
  about: 'all tools, page after page, each with a schema',
  shows: [
    'tools.list.respond',
    'tools.list.paginated',
    'tools.def.name-and-input-schema',
    'page.missing-next-is-end',
    'page.opaque',
  ],
  async run({ open, work }) {
    const session = await open()
    const tools = await session.tools()
    const names = tools.map(({ name }) => name)
    includes(names, work.tools, 'tools')
    check(new Set(names).size === names.length, 'a tool is listed once')
    for (const { name, inputSchema } of tools)
      check(inputSchema?.type === 'object', `${name} has a schema of an object`)
  },
}
