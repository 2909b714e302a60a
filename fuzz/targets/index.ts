import type { Target } from '../lib/target.ts'
import { client } from './client.ts'
import { headers } from './headers.ts'
import { http } from './http.ts'
import { jsonrpc } from './jsonrpc.ts'
import { lines, longLines } from './lines.ts'
import { listenerTargets } from './listeners.ts'
import { regex } from './regex.ts'
import { anySchema, schemaAgreement } from './schema.ts'
import { sse } from './sse.ts'
import { state } from './state.ts'
import { uriTemplates } from './uri-template.ts'
import { params, results, schemas } from './wire.ts'

export const targets: readonly Target[] = [
  jsonrpc,
  lines,
  longLines,
  params,
  results,
  schemas,
  client,
  http,
  ...listenerTargets,
  sse,
  headers,
  uriTemplates,
  schemaAgreement,
  anySchema,
  regex,
  state,
]
