import {
  type Resource,
  resource,
  resourceTemplate,
  type ServerResource,
  type ServerResourceTemplate,
} from '@tenon/sdk/server'
import { colors, colorsLike, swatch, toHex } from './colors.ts'
import { welcome } from './guide.ts'
import { squareIcon } from './icons.ts'
import { convert, quantityNames, quantityOf, unitsLike } from './units.ts'

const guide: ServerResource = resource({
  uri: 'guide:///welcome',
  name: 'welcome',
  title: 'Welcome',
  description: 'What this server offers and how to try it',
  mimeType: 'text/markdown',
  size: Buffer.byteLength(welcome),
  annotations: { audience: ['user', 'assistant'], priority: 0.9, lastModified: '2026-08-01T00:00:00Z' },
  meta: { 'dev.tenon/category': 'guide' },
  cache: { ttlMs: 3_600_000, scope: 'public' },
  read: () => welcome,
})

const logoBytes = swatch([64, 160, 224], 64)

const logo: ServerResource = resource({
  uri: 'guide:///logo.png',
  name: 'logo',
  title: 'Logo',
  description: 'A blue square, as bytes',
  mimeType: 'image/png',
  size: logoBytes.length,
  icons: [squareIcon([64, 160, 224])],
  read: () => logoBytes,
})

const defaultSize = 64
const maxSize = 512

/** A family that lists its members, more than fit on one page, and a variable that may be left out. */
const swatches: ServerResourceTemplate = resourceTemplate({
  uriTemplate: 'swatch:///{color}{?size}',
  name: 'swatch',
  title: 'Colour swatch',
  description: `A square of a named colour as PNG; size is its side in pixels, up to ${maxSize}`,
  mimeType: 'image/png',
  complete: { color: colorsLike, size: (typed) => ['16', '64', '256'].filter((size) => size.startsWith(typed)) },
  list: () =>
    [...colors].map(([name, color]): Resource => {
      return { uri: `swatch:///${name}`, name, description: toHex(color), mimeType: 'image/png' }
    }),
  read: ({ variables }) => {
    const color = colors.get(variables.color)
    const size = Number(variables.size ?? defaultSize)
    if (color === undefined || !Number.isInteger(size) || size < 1 || size > maxSize) return undefined
    return swatch(color, size)
  },
})

/** A template without a list; the completions of a unit depend on the other variables. */
const conversions: ServerResourceTemplate = resourceTemplate({
  uriTemplate: 'conversion:///{quantity}/{from}/{to}{?value}',
  name: 'conversion',
  title: 'Unit conversion',
  description: 'A value (1 if left out) in another unit, such as conversion:///length/km/mi?value=5',
  mimeType: 'application/json',
  complete: {
    quantity: (typed) => quantityNames.filter((name) => name.startsWith(typed)),
    from: (typed, { quantity }) => unitsLike(typed, { ...(quantity !== undefined && { quantity }) }),
    to: (typed, others) => unitsLike(typed, others),
  },
  read: ({ variables: { quantity, from, to, value = '1' } }) => {
    const converted = quantityOf(from) === quantity ? convert(Number(value), from, to) : undefined
    if (converted === undefined || Number.isNaN(converted)) return undefined
    return JSON.stringify({ value: converted, unit: to })
  },
})

/** The resources that exist from the start. */
export const resources: readonly (ServerResource | ServerResourceTemplate)[] = [guide, logo, swatches, conversions]
