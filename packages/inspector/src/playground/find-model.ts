import type { HostTool } from '@tenon/host'
import { type AnyLanguageModel, resolveModel } from '@tenon/host/chat'
import type { ModelKeys } from './model-keys.ts'
import { offline, placeOf } from './model-name.ts'
import { offlineModel } from './offline-model.ts'

/** A model by its name, with the key that is kept for it. `tools` are for the offline model, if it should know more than it is given. */
export async function findModel(name: string, keys: ModelKeys, tools?: readonly HostTool[]): Promise<AnyLanguageModel> {
  if (name === offline) return offlineModel(tools)
  const apiKey = keys.get(placeOf(name) ?? '')
  return resolveModel(name, { ...(apiKey !== undefined && { apiKey }), fetch: withoutRedirects })
}

/** A redirect could lead the key elsewhere. */
const withoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })
