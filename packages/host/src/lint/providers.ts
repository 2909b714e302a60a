import { propertyName } from '../chat/tools/tool-schema.ts'

/** An interface to models that takes tools, and refuses some. */
export type Provider = 'anthropic' | 'google' | 'openai' | 'openai-strict'

export interface ProviderFacts {
  readonly label: string
  /** The names that tools may have. */
  readonly toolName: RegExp
  readonly maxNameLength: number
  /** The names that members of the arguments may have. */
  readonly propertyName?: RegExp
  /** Keywords that are refused at the top of an input schema. */
  readonly refusedAtTop: readonly string[]
  /** The tools of one request. */
  readonly maxTools?: number
  /** Arrays have to describe their items. */
  readonly needsItems?: boolean
}

const openai = {
  toolName: /^[a-zA-Z0-9_-]+$/,
  maxNameLength: 64,
  refusedAtTop: ['oneOf', 'anyOf', 'allOf', 'enum', 'not'],
  maxTools: 128,
  needsItems: true,
} as const

/** The limits of the providers, from their documentation and their error messages. */
export const providers: { readonly [Name in Provider]: ProviderFacts } = {
  anthropic: {
    label: 'Anthropic',
    toolName: /^[a-zA-Z0-9_-]+$/,
    maxNameLength: 128,
    propertyName,
    refusedAtTop: ['oneOf', 'anyOf', 'allOf'],
  },
  google: {
    label: 'Google',
    toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/,
    maxNameLength: 64,
    refusedAtTop: [],
    maxTools: 128,
    needsItems: true,
  },
  openai: { label: 'OpenAI', ...openai },
  /** The same with `strict: true`: answers fit the schema, and far fewer schemas are taken. */
  'openai-strict': { label: 'OpenAI strict', ...openai },
}

/** Strict schemas are a choice of few hosts, and most schemas are none: it counts only if it is asked for. */
export const usualProviders: readonly Provider[] = ['anthropic', 'google', 'openai']

export const allProviders = Object.keys(providers) as Provider[]

/** Providers in words: `OpenAI and Google`. */
export const namesOf = (names: readonly Provider[]): string => {
  const labels = names.map((name) => providers[name].label)
  return labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`
}
