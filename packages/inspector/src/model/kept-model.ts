import type { AuthStore } from '@tenon/sdk/auth'
import { isObject } from '../read-params.ts'
import { type ModelSettings, SamplingModel } from './sampling-model.ts'

const key = 'workbench model'

/** The model that was set up last. Its settings are kept as a secret, because one of them is. */
export async function keptModel(store: AuthStore | undefined): Promise<SamplingModel> {
  if (store === undefined) return new SamplingModel()
  // A store that cannot be read says so where secrets are shown.
  const settings = await Promise.resolve(store.get(key)).then(parse, () => undefined)
  return new SamplingModel(settings, async (changed) => store.set(key, JSON.stringify(changed)))
}

function parse(text: string | undefined): ModelSettings | undefined {
  const value = text === undefined ? undefined : parsed(text)
  if (!isObject(value) || typeof value.baseUrl !== 'string' || typeof value.model !== 'string') return undefined
  const { baseUrl, model, key } = value
  return { baseUrl, model, ...(typeof key === 'string' && { key }) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
