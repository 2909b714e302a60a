import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { bearer, isBearerAuth } from '@tenon/sdk/auth/server'
import { nodeHandler } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import express from 'express'

const notes: string[] = []

const listNotes = tool({ name: 'list_notes', run: () => notes.join(', ') || 'No notes yet' })

/** Needs a scope of its own: a caller without it gets a challenge, and its client asks the user for more. */
const addNote = tool({
  name: 'add_note',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  scopes: ['notes:write'],
  run({ text }, ctx) {
    notes.push(text)
    return `Noted for ${isBearerAuth(ctx.auth) && ctx.auth.subject}`
  },
})

const server = createServer({ name: 'notes', version: '1.0.0', tools: [listNotes, addNote] })

/** An Express application with an MCP endpoint that accepts tokens of the issuer. */
export async function serve(issuer: string): Promise<{ url: string; http: HttpServer }> {
  const app = express()
  const http = createHttpServer(app).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`

  const mcp = nodeHandler(server, { auth: bearer({ issuer, resource: url, scopes: ['notes:read'] }) })
  // The metadata leads clients from the 401 to the issuer.
  app.all(['/mcp', '/.well-known/oauth-protected-resource/mcp'], mcp)
  app.get('/', (_request, response) => void response.send('An ordinary page'))
  return { url, http }
}
