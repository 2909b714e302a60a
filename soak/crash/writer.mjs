// Writes tasks, tokens, the state of an issuer and a plain file until it is killed: node writer.mjs <folder> <seed>
// It prints every attempt and every acknowledgement, one line each, before it continues.
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { issuer } from '@tenon/issuer'
import { fileStore, replaceFile } from '@tenon/sdk/auth'
import { fileTaskStore } from '@tenon/sdk/node'

const [, , folder, seed] = process.argv
const owner = 'user:ada'
let count = 0
let state = Number(seed)
const random = (most) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state % most
}

const say = (...words) => writeSync(1, `${words.join(' ')}\n`)

/** Tries something; only a full disk may prevent it. */
async function attempt(words, work) {
  say('try', ...words)
  try {
    const done = await work()
    say('done', ...words, ...(done === undefined ? [] : [done]))
    return true
  } catch (error) {
    say(error.code === 'ENOSPC' ? 'full' : `wrong ${String(error)}`, ...words)
    return false
  }
}

const record = (id, version) => ({
  id,
  owner,
  version,
  status: 'working',
  createdAt: Date.now(),
  updatedAt: Date.now(),
  ttlMs: 3_600_000,
  pollIntervalMs: 1_000,
  // Its length follows from its id and version, so that half a record is recognized.
  call: { params: { text: `${id}.${version} `.repeat(50) } },
})

async function writeTasks() {
  const store = fileTaskStore(join(folder, 'tasks'))
  for (;;) {
    const id = `${seed}-${count++}`
    if (!(await attempt(['task', id, 1], () => store.create(record(id, 1))))) continue
    const changes = random(6)
    for (let version = 2; version < 2 + changes; version++)
      if (!(await attempt(['task', id, version], () => replace(store, record(id, version))))) break
    if (random(3) > 0) await attempt(['delete', id], () => store.delete(owner, id))
  }
}

async function replace(store, next) {
  if (!(await store.replace(next))) throw new Error('the version was written by somebody else')
}

async function writeTokens() {
  const store = fileStore(join(folder, 'tokens', 'tokens.json'))
  for (;;) {
    const [key, value] = [`key${random(5)}`, `${seed}-${count++}`]
    await attempt(['token', key, value], () => store.set(key, value))
  }
}

async function writeIssuer() {
  const options = { url: 'http://127.0.0.1:1', rateLimits: false, registration: { maxClients: 10_000 } }
  const body = JSON.stringify({ redirect_uris: ['https://a.example/cb'], token_endpoint_auth_method: 'none' })
  let failure
  const as = issuer({ ...options, file: join(folder, 'issuer', 'state.json'), onError: (error) => (failure = error) })
  for (;;) {
    await attempt(['client', count++], async () => {
      const headers = { 'content-type': 'application/json' }
      const reply = await as.fetch(new Request(`${as.url}/register`, { method: 'POST', body, headers }))
      const { client_id } = await reply.json()
      if (reply.status !== 201) throw failure ?? new Error(`status ${reply.status}`)
      return client_id
    })
  }
}

async function writeFiles() {
  for (;;) {
    const value = `${seed}-${count++}`
    await attempt(['file', value], () => replaceFile(join(folder, 'file'), `${value} `.repeat(200)))
  }
}

say('ready')
process.stdin.once('data', () => Promise.all([writeTasks(), writeTokens(), writeIssuer(), writeFiles()]))
