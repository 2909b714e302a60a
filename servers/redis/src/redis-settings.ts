import { bytes, type CommonSettings, milliseconds, path, type Setting, text, texts } from '@tenon/server-kit'
import { z } from 'zod'

/** The settings of this server, besides those that every reference server has. */
export interface RedisSettings extends Pick<CommonSettings, 'readOnly' | 'confirm'> {
  /** `redis://`, `rediss://` or `unix://`; it may hold a user, a password and the number of a database. */
  readonly redis: string | undefined
  readonly username: string | undefined
  readonly password: string | undefined
  readonly passwordFile: string | undefined
  readonly database: number | undefined
  readonly tlsCa: string | undefined
  /** Keys begin with one of these; empty allows every key. */
  readonly prefix: readonly string[]
  /** Bytes of one value in an answer. */
  readonly maxValue: number
  /** Bytes of all values in an answer. */
  readonly maxResult: number
  readonly timeout: number
  readonly pollInterval: number
}

type OwnSettings = Omit<RedisSettings, 'readOnly' | 'confirm'>

const databaseNumber: Setting<number | undefined> = {
  summary: 'Number of the database (default: the one in the URL, else 0)',
  placeholder: 'N',
  schema: z.int().min(0).max(1_000_000).optional(),
  fromText: (given) => (/^\d{1,7}$/.test(given) ? Number(given) : given),
}

export const settings: { readonly [K in keyof OwnSettings]: Setting<OwnSettings[K]> } = {
  redis: text('Address of Redis: redis://, rediss:// (TLS) or unix:// (default redis://localhost:6379)', {
    placeholder: 'URL',
    env: 'REDIS_URL',
    secret: true,
  }),
  username: text('User, if it is not in the URL', { placeholder: 'NAME', env: 'REDIS_USERNAME' }),
  password: text('Password; other users of the machine see flags, so prefer the variable or a file', {
    env: 'REDIS_PASSWORD',
    secret: true,
  }),
  passwordFile: path('File with the password', { placeholder: 'FILE' }),
  database: databaseNumber,
  tlsCa: path('File with certificates to trust, for rediss://', { placeholder: 'FILE' }),
  prefix: texts('Allow only keys that begin with this (repeatable)'),
  maxValue: bytes('Longest value in an answer; the rest is read by range', { default: 100_000 }),
  maxResult: bytes('Longest answer; the rest is on further pages', { default: 1_000_000 }),
  timeout: milliseconds('Longest wait for Redis', { default: 5_000 }),
  pollInterval: milliseconds('Time between looks at watched keys, if Redis does not tell of changes', {
    default: 2_000,
  }),
}

/** The values of a server that is made by code and names none. */
export const defaultSettings: RedisSettings = {
  readOnly: false,
  confirm: false,
  redis: undefined,
  username: undefined,
  password: undefined,
  passwordFile: undefined,
  database: undefined,
  tlsCa: undefined,
  prefix: [],
  maxValue: 100_000,
  maxResult: 1_000_000,
  timeout: 5_000,
  pollInterval: 2_000,
}
