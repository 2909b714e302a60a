import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TemplateMatch } from './types.ts'
import { parseUriTemplate } from './uri-template.ts'

const options = { numRuns: 1000 }
const anyText = fc.string({ unit: 'binary', maxLength: 12 })
const someText = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
// Raw in the URI, so these must not contain the characters that end their part.
const withoutAny = (characters: string) =>
  someText.filter((text) => !Array.from(text).some((c) => characters.includes(c)))

/** A piece of a template, with a value that its place in the URI keeps apart from its neighbours. */
type Piece = { template: string; value: string | string[] | undefined }

const piece = (template: string, value: fc.Arbitrary<string | string[] | undefined>): fc.Arbitrary<Piece> =>
  value.map((value) => ({ template, value }))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const list = fc.array(anyText, { minLength: 1, maxLength: 4 })

const path = fc.oneof(
  piece('/{NAME}', someText),
  piece('/{NAME*}', fc.array(someText, { minLength: 1, maxLength: 4 })),
  piece('/-{/NAME}', maybe(anyText)),
  piece('/-{.NAME}', maybe(anyText)),
  piece('/-{;NAME}', maybe(anyText)),
  piece('/-{;NAME*}', maybe(list)),
  piece('/{NAME:4}', fc.string({ unit: 'binary', minLength: 1, maxLength: 2 })),
)
const tail = fc.oneof(piece('//{+NAME}', withoutAny('?#%')), piece('//-{/NAME*}', maybe(list)))
const query = fc.oneof(piece('{?NAME}', maybe(anyText)), piece('{?NAME*}', maybe(list)))
const continued = fc.oneof(piece('{&NAME}', maybe(anyText)), piece('{&NAME*}', maybe(list)))
const fragment = piece('{#NAME}', maybe(withoutAny('%')))

const pieces = fc
  .tuple(fc.array(path, { maxLength: 4 }), tail, query, continued, fragment)
  .map(([segments, ...rest]) => [...segments, ...rest])

test('property: match gives back what expand was given', () => {
  fc.assert(
    fc.property(pieces, (pieces) => {
      const names = pieces.map((_, index) => `v${index}`)
      const template = parseUriTemplate(pieces.map(({ template }, at) => template.replace('NAME', names[at]!)).join(''))
      const values = Object.fromEntries(
        pieces.flatMap(({ value }, at) => (value === undefined ? [] : [[names[at]!, value]])),
      )
      // Without the `{?x}` before it, `{&x}` would write `&` where a query has to start.
      const hasQuery = Object.hasOwn(values, names.at(-3)!)
      fc.pre(hasQuery || !Object.hasOwn(values, names.at(-2)!))
      expect({ ...template.match(template.expand(values)) }).toEqual(values)
    }),
    options,
  )
})

const templates = [
  '{a}{+b}{#c}{.d}{/e}{;f}{?g}{&h}',
  '{a*}{+b*}{#c*}{.d*}{/e*}{;f*}{?g*}{&h*}',
  '{a:1}/{a}{+b:2}{/c:3,d}{?e:4}',
  'x{/p*}y{?q,r*}{#s,t}',
  '{+a}',
].map(parseUriTemplate)
const uriLike = fc.string({ unit: fc.constantFrom(...'/?#&;=.,%2Fxyé', '%C3%A9', '\ud800'), maxLength: 40 })

test('property: match never throws, and finds only variables of the template', () => {
  fc.assert(
    fc.property(fc.constantFrom(...templates), fc.oneof(uriLike, fc.string({ unit: 'binary' })), (template, uri) => {
      const found: TemplateMatch = template.match(uri) ?? {}
      for (const name of Object.keys(found)) expect(template.variables).toContain(name)
    }),
    { numRuns: 3000 },
  )
})

test('property: what match found, expanded, is matched with the same values', () => {
  fc.assert(
    fc.property(uriLike, (uri) => {
      const template = parseUriTemplate('x{/p*}/y{?q,r*}{#s}')
      const found = template.match(`x${uri}/y?q=${uri}`)
      if (found) expect(template.match(template.expand(found))).toEqual(found)
    }),
    options,
  )
})
