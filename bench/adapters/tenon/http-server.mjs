import { serveHttp } from '@tenon/sdk/node'
import { definition } from './definition.mjs'

/** @param {{ responseMode?: string, workers?: number, protected?: boolean, telemetry?: boolean }} settings */
export async function start({ responseMode = 'auto', workers, protected: isProtected, telemetry, ...settings }) {
  if (telemetry) (await import('./telemetry.mjs')).startTelemetry()
  const { auth, headers } = isProtected ? await (await import('./protection.mjs')).protection() : {}
  const options = {
    responseMode,
    maxBodyBytes: 64 * 1024 * 1024,
    sessions: { max: 20_000 },
    ...(workers > 1 && { workers }),
    ...(auth && { auth }),
  }
  const http = await serveHttp(definition(settings), options)
  return { port: Number(new URL(http.url).port), ...(headers && { headers }) }
}
