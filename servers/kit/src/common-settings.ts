import { path, type Setting, text, texts, toggle } from './settings.ts'

/** The settings that every reference server has. */
export interface CommonSettings {
  readonly readOnly: boolean
  readonly confirm: boolean
  readonly http: string | undefined
  readonly tokenFile: string | undefined
  readonly issuer: string | undefined
  readonly url: string | undefined
  readonly allowedHost: readonly string[]
  readonly cors: readonly string[]
}

export const commonSettings: { readonly [K in keyof CommonSettings]: Setting<CommonSettings[K]> } = {
  readOnly: toggle('Offer only tools that change nothing'),
  confirm: toggle('Ask the user before a tool deletes or overwrites something'),
  http: text('Serve over HTTP instead of stdio; port 0 takes any that is free', { placeholder: '[HOST:]PORT' }),
  tokenFile: path('HTTP: accept the bearer tokens in this file, one per line', { placeholder: 'FILE' }),
  issuer: text('HTTP: accept tokens of this authorization server', { placeholder: 'URL' }),
  url: text('HTTP: the public address of this server, as clients know it', { placeholder: 'URL' }),
  allowedHost: texts('HTTP: answer requests to this host name (repeatable)', { placeholder: 'NAME' }),
  cors: texts('HTTP: let web pages of this origin call (repeatable)', { placeholder: 'ORIGIN' }),
}
