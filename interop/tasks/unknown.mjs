import { check, equal, failure } from '../lib/check.mjs'

export default {
  name: 'unknown',
  title: 'unknown names',
  needs: 'server',
  about: 'a method, a tool and a resource that do not exist: -32601, and an error for each of the others',
  shows: [
    'rpc.codes.method-not-found',
    'http.version.unknown-method-404',
    'tools.error.unknown-tool',
    'res.error.not-found-32002',
    'res.error.not-found-32602',
  ],
  async run({ open, work }) {
    const session = await open()
    const method = await failure(session.request('interop/no-such-method', {}), 'an unknown method')
    equal(method.code, -32601, 'code for an unknown method')
    const tool = await session.call('no-such-tool', {}).catch((error) => error)
    check(
      tool.isError === true || Number.isInteger(tool.code),
      () => `an error for an unknown tool, got ${JSON.stringify(tool)}`,
    )
    if (work.resources) {
      const resource = await failure(session.read('interop://no/such'), 'an unknown resource')
      check(Number.isInteger(resource.code), `an error with a code for an unknown resource, got ${resource}`)
    }
    await session.ping()
  },
}
