import type { ConfigSection, PartsContext } from '../config/section.ts'
import { OpenOnce } from '../database/open-once.ts'
import { type RedisSettings, readRedis, redisSchema } from '../sharing/settings.ts'
import { openSharedState, type SharedState } from '../sharing/shared-state.ts'

const states = new OpenOnce<SharedState>()

/** `redis`: shares sessions, limits and approvals with other gateways. */
export const redisSection: ConfigSection<RedisSettings | undefined> = {
  name: 'redis',
  schema: redisSchema,
  parse: (value) => readRedis(value),
  async parts(_, context) {
    const opened = await sharedStateOf(context)
    return opened === undefined ? {} : { shared: opened.store, close: opened.close }
  },
}

/** The state that the section names, once for everybody who needs it; undefined without the section. */
export async function sharedStateOf({
  settingsOf,
}: Pick<PartsContext, 'settingsOf'>): Promise<{ readonly store: SharedState; close(): Promise<void> } | undefined> {
  const settings = settingsOf(redisSection.name) as RedisSettings | undefined
  return settings && states.use(JSON.stringify(settings), () => openSharedState(settings))
}
