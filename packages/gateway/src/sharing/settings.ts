import { checkRedisAddress } from '@tenon/redis'
import type { JsonObject } from '@tenon/sdk/client'

/** The section `redis` of the configuration, checked. */
export interface RedisSettings {
  readonly url: string
  /** Begins every key. Default `tenon`. */
  readonly prefix?: string
  /**
   * Secrets of 32 bytes or more for the state that clients carry between rounds, the newest first. Default: one that the first
   * gateway makes, in Redis.
   */
  readonly stateKeys?: readonly string[]
}

const url: JsonObject = {
  type: 'string',
  minLength: 1,
  description:
    'The address of Redis: redis://user:password@host:6379/0, or one of redis+sentinel, redis+cluster and unix',
}

/** The JSON Schema of the section `redis`. */
export const redisSchema: JsonObject = {
  description: 'Shares sessions, limits and approvals with other gateways of the same file behind a balancer',
  anyOf: [
    url,
    {
      type: 'object',
      properties: {
        url,
        prefix: {
          type: 'string',
          pattern: '^[\\w.:-]{1,64}$',
          description: 'Begins every key, so that other programs can use the same Redis. Default tenon',
        },
        stateKeys: {
          type: 'array',
          minItems: 1,
          maxItems: 10,
          items: { type: 'string', minLength: 32 },
          description: 'Secrets for the state that clients carry, the newest first. Default: one that is kept in Redis',
        },
      },
      required: ['url'],
      additionalProperties: false,
    },
  ],
}

/** Reads a value that fits the schema; throws if Redis cannot be at its address. */
export function readRedis(value: unknown): RedisSettings {
  const settings = typeof value === 'string' ? { url: value } : (value as RedisSettings)
  checkRedisAddress(settings.url)
  return settings
}
