import { serveHttp } from '@tenon/sdk/node'
import { definition } from './definition.mjs'

export async function start({ responseMode = 'auto', workers, ...settings }) {
  const options = {
    responseMode,
    maxBodyBytes: 64 * 1024 * 1024,
    sessions: { max: 20_000 },
    ...(workers > 1 && { workers }),
  }
  const http = await serveHttp(definition(settings), options)
  return { port: Number(new URL(http.url).port) }
}
