import type { ConfigSection, GatewayParts, PartsContext, SectionContext } from '../config/section.ts'
import { type CredentialsConfig, readCredentials } from '../credentials/config.ts'
import { credentialsSchema } from '../credentials/config-schema.ts'
import { OpenOnce } from '../database/open-once.ts'
import { callerBook } from '../identity/caller-book.ts'
import { type IdentityConfig, readIdentity } from '../identity/config.ts'
import { identitySchema } from '../identity/config-schema.ts'
import { type GatewayIdentity, openIdentity } from '../identity/open-identity.ts'
import type { ReadSection } from '../identity/section-issues.ts'

const identities = new OpenOnce<GatewayIdentity>()

/** `credentials`: for each upstream, the ones that it gets. */
export const credentialsSection: ConfigSection<CredentialsConfig | undefined> = {
  name: 'credentials',
  schema: credentialsSchema,
  fillsIn: true,
  parse: (value, context) => settingsIn(readCredentials(value), context),
}

/** `identity`: the callers. It opens the credentials too, because some begin with the token of a caller. */
export const identitySection: ConfigSection<IdentityConfig | undefined> = {
  name: 'identity',
  schema: identitySchema,
  fillsIn: true,
  parse: (value, context) => settingsIn(readIdentity(value), context),
  async parts(identity, context) {
    const credentials = context.settingsOf(credentialsSection.name) as CredentialsConfig | undefined
    const callers = callerBook(identity, context.config.listen?.url)
    if (identity === undefined && credentials === undefined) return { callers }
    // Without the section, this machine alone may call.
    return { callers, ...(await identityParts(identity ?? { local: true }, credentials ?? new Map(), context)) }
  },
}

async function identityParts(
  identity: IdentityConfig,
  credentials: CredentialsConfig,
  { folder, config }: PartsContext,
): Promise<GatewayParts> {
  const url = config.listen?.url
  const servers = Object.keys(config.servers ?? {})
  const urls = new Map(
    Object.entries(config.upstreams).flatMap(([name, upstream]) =>
      'url' in upstream ? [[name, upstream.url] as const] : [],
    ),
  )
  const key = JSON.stringify([folder, url, servers, [...urls], identity, [...credentials]])
  const { store, close } = await identities.use(key, () =>
    openIdentity({
      identity,
      credentials,
      ...(url !== undefined && { url }),
      servers,
      urlOf: (name) => urls.get(name),
      folder,
    }),
  )
  const { auth, handles, handle } = store
  return { auth, credentials: store.credentials, handles, handle, close }
}

function settingsIn<Value>(read: ReadSection<Value>, { tell }: SectionContext): Value | undefined {
  if ('value' in read) return read.value
  for (const { path, message } of read.issues) tell(path, message)
  return undefined
}
