import { expectTypeOf, test } from 'vitest'
import { parseUriTemplate, type TemplateMatch, type TemplateVariables } from './uri-template.ts'

test('simple and reserved variables are required, those of other operators optional', () => {
  expectTypeOf<TemplateVariables<'file:///{path}/{?q*}'>>().toEqualTypeOf<{ path: string; q?: string[] }>()
  expectTypeOf<TemplateVariables<'{a,b*}{+c}{#d}{.e}{/f*}{;g}{?h,i:3}{&j}'>>().toEqualTypeOf<{
    a: string
    b: string[]
    c: string
    d?: string
    e?: string
    f?: string[]
    g?: string
    h?: string
    i?: string
    j?: string
  }>()
})

test('a variable used twice is required if one use requires it', () => {
  expectTypeOf<TemplateVariables<'{term:1}/{term}{?term}'>>().toEqualTypeOf<{ term: string }>()
})

test('an optional use does not change the type of a required one', () => {
  expectTypeOf<TemplateVariables<'{x*}{?x}'>>().toEqualTypeOf<{ x: string[] }>()
})

test('a template without variables has none', () => {
  // biome-ignore lint/complexity/noBannedTypes: the empty object type is meant.
  expectTypeOf<TemplateVariables<'config://app'>>().toEqualTypeOf<{}>()
})

test('a template not known as a literal may have any variable', () => {
  expectTypeOf<TemplateVariables<string>>().toEqualTypeOf<Record<string, string | string[]>>()
})

test('a long template stays within the depth of the checker', () => {
  type Four = '{a}/{b}/{c}/{d}/'
  type Sixteen = `${Four}${Four}${Four}${Four}`
  expectTypeOf<TemplateVariables<`${Sixteen}${Sixteen}${Sixteen}${Sixteen}{?z*}`>['z']>().toEqualTypeOf<
    string[] | undefined
  >()
})

test('a match is typed loosely, as the template is text', () => {
  expectTypeOf(parseUriTemplate('{a}').match).returns.toEqualTypeOf<TemplateMatch | undefined>()
})
