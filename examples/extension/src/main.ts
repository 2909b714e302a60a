import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { search } from './search.ts'

const server = fileURLToPath(new URL('server.js', import.meta.url))
await using client = await connect({ command: 'node', args: [server] }, { extensions: [search.use()] })

const dictionary = client.extension(search)
console.log(dictionary.settings)

const { hits } = await dictionary.request('search/query', { text: 'ten' })
console.log(hits)
assert.deepEqual(hits, ['tenon', 'tent'])

// Checked before anything is sent.
console.log(await dictionary.request('search/query', { text: '' }).catch((error: Error) => error.message))
