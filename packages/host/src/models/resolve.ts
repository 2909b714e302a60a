import { ChatError } from '../chat/chat-error.ts'
import type { AnyLanguageModel } from './language-model.ts'
import { readScript } from './script-file.ts'
import { scriptedModel } from './scripted.ts'

export interface ResolveModelOptions {
  /** By the variable of the provider in the environment if missing. */
  apiKey?: string
  /** Another address of the provider's API. */
  baseURL?: string
  /** Headers of every request. */
  headers?: { [name: string]: string }
  /** `process.env` if missing. */
  env?: { [name: string]: string | undefined }
  /** `fetch` for every request. */
  fetch?: typeof globalThis.fetch
}

/** The settings that the factories of all providers take. */
interface ProviderSettings extends Omit<ResolveModelOptions, 'env'> {
  name?: string
  includeUsage?: boolean
}

type Factory = (settings: ProviderSettings) => (modelId: string) => AnyLanguageModel

interface Provider {
  /** The package, and the major that runs on every supported Node. */
  package: string
  major: number
  /** Variables that may have the key. */
  keys: string[]
  needsKey: boolean
  load: () => Promise<Factory>
  settings?: ProviderSettings
}

/** Bundlers and type checkers shall not look for packages that may not be there. */
const load = async (name: string): Promise<{ [name: string]: Factory }> => import(name)

const compatible = { package: '@ai-sdk/openai-compatible', major: 2 }
const createCompatible = async (): Promise<Factory> => (await load(compatible.package)).createOpenAICompatible!

const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  [
    'anthropic',
    {
      package: '@ai-sdk/anthropic',
      major: 3,
      keys: ['ANTHROPIC_API_KEY'],
      needsKey: true,
      load: async () => (await load('@ai-sdk/anthropic')).createAnthropic!,
    },
  ],
  [
    'openai',
    {
      package: '@ai-sdk/openai',
      major: 3,
      keys: ['OPENAI_API_KEY'],
      needsKey: true,
      load: async () => (await load('@ai-sdk/openai')).createOpenAI!,
    },
  ],
  [
    'google',
    {
      package: '@ai-sdk/google',
      major: 3,
      keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      needsKey: true,
      load: async () => (await load('@ai-sdk/google')).createGoogleGenerativeAI!,
    },
  ],
  [
    'ollama',
    {
      ...compatible,
      keys: ['OLLAMA_API_KEY'],
      needsKey: false,
      load: createCompatible,
      settings: { name: 'ollama', baseURL: 'http://localhost:11434/v1' },
    },
  ],
])

/** For an address of a server with the wire of OpenAI's chat completions. Keys go nowhere but to the provider they are of. */
const atUrl = (baseURL: string): Provider => ({
  ...compatible,
  keys: [],
  needsKey: false,
  load: createCompatible,
  settings: { name: 'openai-compatible', baseURL },
})

const forms = '"anthropic/…", "openai/…", "google/…", "ollama/…", "http://localhost:11434/v1#model" or "scripted:FILE"'

const unknown = (name: string, why: string): ChatError =>
  new ChatError('model_unknown', `The model ${JSON.stringify(name)} is unknown: ${why}`)

/** The provider and the model that a name stands for. */
function parseName(name: string): { provider: Provider; modelId: string } {
  if (/^https?:\/\//i.test(name)) {
    if (!URL.canParse(name)) throw unknown(name, 'the address is not valid')
    const url = new URL(name)
    const modelId = decodeURIComponent(url.hash.slice(1))
    if (modelId === '') throw unknown(name, 'expected the name of the model after "#"')
    url.hash = ''
    return { provider: atUrl(url.href.replace(/\/$/, '')), modelId }
  }
  const slash = name.indexOf('/')
  const provider = providers.get(name.slice(0, Math.max(0, slash)))
  const modelId = name.slice(slash + 1)
  if (!provider || modelId === '') throw unknown(name, `expected ${forms}`)
  return { provider, modelId }
}

const isMissing = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}

async function loadFactory(provider: Provider, name: string): Promise<Factory> {
  try {
    return await provider.load()
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    const command = `npm install ${provider.package}@${provider.major}`
    throw new ChatError('provider_missing', `The model ${name} needs the package ${provider.package}: ${command}`, {
      cause,
    })
  }
}

/**
 * The model that a name stands for: `anthropic/…`, `openai/…`, `google/…`, `ollama/…`, the address of a server with the
 * wire of OpenAI's chat completions and the name of the model after `#`, or `scripted:FILE`.
 */
export async function resolveModel(name: string, options: ResolveModelOptions = {}): Promise<AnyLanguageModel> {
  if (name.startsWith('scripted:')) {
    const path = name.slice('scripted:'.length)
    return scriptedModel(await readScript(path))
  }
  const { provider, modelId } = parseName(name)
  const { env = process.env, apiKey: given, ...settings } = options
  const apiKey = given ?? provider.keys.map((key) => env[key]).find(Boolean)
  if (!apiKey && provider.needsKey) {
    throw new ChatError('key_missing', `The model ${name} needs a key: set ${provider.keys[0]}, or give apiKey`)
  }
  const factory = await loadFactory(provider, name)
  const known = Object.entries(settings).filter(([, value]) => value !== undefined)
  return factory({ includeUsage: true, ...provider.settings, ...Object.fromEntries(known), ...(apiKey && { apiKey }) })(
    modelId,
  )
}
