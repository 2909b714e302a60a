import { z } from 'zod'
import { type Setting, texts, toggle } from '../settings.ts'
import type { NetworkRules } from './network-policy.ts'

/** A list of ports: the flag may be repeated. */
const ports = (summary: string): Setting<readonly number[]> => ({
  summary,
  placeholder: 'PORT',
  many: true,
  schema: z.array(z.int().min(1).max(65_535)).readonly().default([]),
  fromText: (given) => (/^\d{1,5}$/.test(given) ? Number(given) : given),
})

/** The rules of `networkPolicy` as settings of a program. */
export const networkSettings: { readonly [K in keyof Required<NetworkRules>]: Setting<Required<NetworkRules>[K]> } = {
  allowHost: texts('Fetch from this host only: example.com, *.example.com, host:port (repeatable)', {
    placeholder: 'HOST',
  }),
  allowPrivate: texts('Fetch from this host or network although it is private (repeatable)', {
    placeholder: 'HOST|NETWORK',
  }),
  allowPrivateIps: toggle('Fetch from every private address'),
  allowPort: ports('Fetch from this port only (repeatable)'),
}
