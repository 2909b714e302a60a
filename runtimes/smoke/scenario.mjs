// The scenario for every runtime, over any transport. Uses nothing that browsers lack.
import { equal, eventually, failure } from './checks.mjs'

let keys = 0
const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${++keys}`

/** Runs the scenario in one revision. `reach` connects a client to a smoke server, with the given options. */
export async function converse(checks, where, revision, reach) {
  const check = (name, run, options = {}) =>
    checks.run(`${where}, ${revision}: ${name}`, async () => {
      const client = await reach({ revisions: [revision], ...options })
      try {
        equal(client.server.revision, revision, 'the revision')
        await run(client)
      } finally {
        await client.close()
      }
    })

  await check('tools are listed and called', listAndCall)
  await check('progress comes before the answer', progress)
  await check('a cancelled call stops its handler', (client) => cancel(client, false))
  await check('a cancelled call that had progress stops its handler', (client) => cancel(client, true))
  if (revision >= '2025-06-18' && revision < '2026') {
    await check('the server asks the user', elicit, { elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) })
  }
  if (revision < '2026') await check('a change of the tools is told', change)
}

async function listAndCall(client) {
  const { tools } = await client.listTools()
  equal(
    tools.slice(0, 3).map(({ name }) => name),
    ['echo', 'add', 'work'],
    'the tools',
  )
  const strange = 'größe 😀\u2028\n\0'
  equal((await client.callTool('echo', { text: strange })).text, strange, 'an echo')
  const long = 'é😀'.repeat(100_000)
  equal((await client.callTool('echo', { text: long })).text === long, true, 'whether 600 kB come back unchanged')
  const sums = await Promise.all(Array.from({ length: 25 }, (_, a) => client.callTool('add', { a, b: 1 })))
  equal(
    sums.map(({ text }) => JSON.parse(text).sum),
    sums.map((_, a) => a + 1),
    'the sums of 25 calls at once',
  )
  // Up to 2025-06-18 wrong arguments are an error of the protocol, later one of the tool.
  const refused = client.callTool('add', { a: 'one', b: 1 })
  const how = await refused.then(
    ({ isError }) => isError,
    ({ name }) => name === 'RpcError',
  )
  equal(how, true, 'whether wrong arguments are refused')
}

async function progress(client) {
  const steps = []
  const onProgress = (step) => steps.push([step.progress, step.message])
  const { text } = await client.callTool('work', {}, { onProgress })
  // The oldest revision has no messages there.
  const message = (step) => (client.server.revision === '2024-11-05' ? undefined : `step ${step}`)
  equal([text, steps], ['done', [1, 2, 3].map((step) => [step, message(step)])], 'answer and progress')
}

async function cancel(client, loud) {
  const key = newKey()
  const stop = new AbortController()
  const call = client.callTool('wait', { key, loud }, { signal: stop.signal, onProgress: () => {} })
  const cancelled = failure(call, 'cancelled')
  const state = async () => (await client.callTool('state', { key })).text
  await eventually(state, 'started', 'the state before')
  stop.abort()
  await cancelled
  await eventually(state, 'stopped', 'the state after')
}

async function elicit(client) {
  equal((await client.callTool('ask')).text, 'Hello Ada', 'the answer')
}

async function change(client) {
  let told = false
  client.onChange('tools', () => {
    told = true
  })
  // Repeated: changes before the stream of the server is open are not notified.
  const grow = async () => {
    if (!told) await client.callTool('grow', { name: newKey() })
    return told
  }
  await eventually(grow, true, 'whether the change was told')
}
