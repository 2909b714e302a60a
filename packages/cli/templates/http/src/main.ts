#!/usr/bin/env node
import { serveHttp } from '@tenon/sdk/node'
import { withToken } from './auth.ts'
import { server } from './server.ts'

const { PORT = '3000', HOST = '127.0.0.1', TOKEN } = process.env

if (TOKEN === undefined && HOST !== '127.0.0.1') {
  console.error('Set TOKEN: without it anybody on the network could use this server.')
  process.exit(1)
}

const http = await serveHttp(server, {
  port: Number(PORT),
  host: HOST,
  ...(TOKEN !== undefined && { auth: withToken(TOKEN) }),
})
console.error(`Listening on ${http.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void http.close())
