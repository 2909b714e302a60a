import assert from 'node:assert/strict'
import { agree, serveIssuer } from '@tenon/issuer'
import { authorizationCode, oauth } from '@tenon/sdk/auth'
import { connect } from '@tenon/sdk/client'
import { serve } from './server.ts'

const issuer = await serveIssuer({
  users: [{ subject: 'ada' }],
  onEvent: ({ type, subject }) => console.log(`issuer: ${type}${subject ? ` ${subject}` : ''}`),
})
const { url, http } = await serve(issuer.url)
console.log(await (await fetch(new URL('/', url))).text())

// `oauth()` alone opens a browser. Here `agree` is the user, who agrees on the page of the issuer.
const redirect = () => ({ uri: 'http://127.0.0.1:4999/callback', visit: (page: URL) => agree(page), close: () => {} })
const auth = oauth({ grant: authorizationCode({ redirect }) })

const client = await connect(url, { auth })
console.log((await client.callTool('list_notes')).text)

// The token lacks `notes:write`: the user agrees once more, and the call is sent again.
const { text } = await client.callTool('add_note', { text: 'Buy salt' })
console.log(text)
assert.equal(text, 'Noted for ada')
console.log((await client.callTool('list_notes')).text)

await client.close()
await issuer.close()
http.close()
http.closeAllConnections()
