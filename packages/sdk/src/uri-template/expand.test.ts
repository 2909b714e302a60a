import { describe, expect, test } from 'vitest'
import { isMcpError } from '../errors.ts'
import type { TemplateValues } from './types.ts'
import { parseUriTemplate } from './uri-template.ts'

// The variables and results of RFC 6570, sections 1.2 and 3.2.
const rfcValues: TemplateValues = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  keys: { semi: ';', dot: '.', comma: ',' },
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  empty_keys: {},
  undef: null,
}

const rfcExamples: Record<string, [template: string, uri: string][]> = {
  '3.2.1 expansion of one variable': [
    ['{count}', 'one,two,three'],
    ['{count*}', 'one,two,three'],
    ['{/count}', '/one,two,three'],
    ['{/count*}', '/one/two/three'],
    ['{;count}', ';count=one,two,three'],
    ['{;count*}', ';count=one;count=two;count=three'],
    ['{?count}', '?count=one,two,three'],
    ['{?count*}', '?count=one&count=two&count=three'],
    ['{&count*}', '&count=one&count=two&count=three'],
  ],
  '3.2.2 simple': [
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['map?{x,y}', 'map?1024,768'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['?{x,empty}', '?1024,'],
    ['?{x,undef}', '?1024'],
    ['?{undef,y}', '?768'],
    ['{var:3}', 'val'],
    ['{var:30}', 'value'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
    ['{keys}', 'semi,%3B,dot,.,comma,%2C'],
    ['{keys*}', 'semi=%3B,dot=.,comma=%2C'],
  ],
  '3.2.3 reserved': [
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['O{+empty}X', 'OX'],
    ['O{+undef}X', 'OX'],
    ['{+path}/here', '/foo/bar/here'],
    ['here?ref={+path}', 'here?ref=/foo/bar'],
    ['up{+path}{var}/here', 'up/foo/barvalue/here'],
    ['{+x,hello,y}', '1024,Hello%20World!,768'],
    ['{+path,x}/here', '/foo/bar,1024/here'],
    ['{+path:6}/here', '/foo/b/here'],
    ['{+list}', 'red,green,blue'],
    ['{+list*}', 'red,green,blue'],
    ['{+keys}', 'semi,;,dot,.,comma,,'],
    ['{+keys*}', 'semi=;,dot=.,comma=,'],
  ],
  '3.2.4 fragment': [
    ['{#var}', '#value'],
    ['{#hello}', '#Hello%20World!'],
    ['{#half}', '#50%25'],
    ['foo{#empty}', 'foo#'],
    ['foo{#undef}', 'foo'],
    ['X{#var}', 'X#value'],
    ['X{#hello}', 'X#Hello%20World!'],
    ['{#x,hello,y}', '#1024,Hello%20World!,768'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['{#path:6}/here', '#/foo/b/here'],
    ['{#list}', '#red,green,blue'],
    ['{#list*}', '#red,green,blue'],
    ['{#keys}', '#semi,;,dot,.,comma,,'],
    ['{#keys*}', '#semi=;,dot=.,comma=,'],
  ],
  '3.2.5 label': [
    ['{.who}', '.fred'],
    ['{.who,who}', '.fred.fred'],
    ['{.half,who}', '.50%25.fred'],
    ['www{.dom*}', 'www.example.com'],
    ['X{.var}', 'X.value'],
    ['X{.x,y}', 'X.1024.768'],
    ['X{.empty}', 'X.'],
    ['X{.undef}', 'X'],
    ['X{.var:3}', 'X.val'],
    ['X{.list}', 'X.red,green,blue'],
    ['X{.list*}', 'X.red.green.blue'],
    ['X{.keys}', 'X.semi,%3B,dot,.,comma,%2C'],
    ['X{.keys*}', 'X.semi=%3B.dot=..comma=%2C'],
    ['X{.empty_keys}', 'X'],
    ['X{.empty_keys*}', 'X'],
  ],
  '3.2.6 path segment': [
    ['{/who}', '/fred'],
    ['{/who,who}', '/fred/fred'],
    ['{/half,who}', '/50%25/fred'],
    ['{/who,dub}', '/fred/me%2Ftoo'],
    ['{/var}', '/value'],
    ['{/var,empty}', '/value/'],
    ['{/var,undef}', '/value'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{/var:1,var}', '/v/value'],
    ['{/list}', '/red,green,blue'],
    ['{/list*}', '/red/green/blue'],
    ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
    ['{/keys}', '/semi,%3B,dot,.,comma,%2C'],
    ['{/keys*}', '/semi=%3B/dot=./comma=%2C'],
  ],
  '3.2.7 path-style parameter': [
    ['{;who}', ';who=fred'],
    ['{;half}', ';half=50%25'],
    ['{;empty}', ';empty'],
    ['{;v,empty,who}', ';v=6;empty;who=fred'],
    ['{;v,bar,who}', ';v=6;who=fred'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{;x,y,undef}', ';x=1024;y=768'],
    ['{;hello:5}', ';hello=Hello'],
    ['{;list}', ';list=red,green,blue'],
    ['{;list*}', ';list=red;list=green;list=blue'],
    ['{;keys}', ';keys=semi,%3B,dot,.,comma,%2C'],
    ['{;keys*}', ';semi=%3B;dot=.;comma=%2C'],
  ],
  '3.2.8 query': [
    ['{?who}', '?who=fred'],
    ['{?half}', '?half=50%25'],
    ['{?x,y}', '?x=1024&y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['{?x,y,undef}', '?x=1024&y=768'],
    ['{?var:3}', '?var=val'],
    ['{?list}', '?list=red,green,blue'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['{?keys}', '?keys=semi,%3B,dot,.,comma,%2C'],
    ['{?keys*}', '?semi=%3B&dot=.&comma=%2C'],
  ],
  '3.2.9 query continuation': [
    ['{&who}', '&who=fred'],
    ['{&half}', '&half=50%25'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&x,y,empty}', '&x=1024&y=768&empty='],
    ['{&x,y,undef}', '&x=1024&y=768'],
    ['{&var:3}', '&var=val'],
    ['{&list}', '&list=red,green,blue'],
    ['{&list*}', '&list=red&list=green&list=blue'],
    ['{&keys}', '&keys=semi,%3B,dot,.,comma,%2C'],
    ['{&keys*}', '&semi=%3B&dot=.&comma=%2C'],
  ],
}

for (const [section, examples] of Object.entries(rfcExamples)) {
  describe(`RFC 6570, ${section}`, () => {
    test.each(examples)('%s expands to %s', (template, uri) => {
      expect(parseUriTemplate(template).expand(rfcValues)).toBe(uri)
    })
  })
}

const expand = (template: string, values: TemplateValues): string => parseUriTemplate(template).expand(values)

describe('expand', () => {
  test('encodes text as UTF-8, one triplet per byte', () => {
    expect(expand('{x}', { x: 'é€😀' })).toBe('%C3%A9%E2%82%AC%F0%9F%98%80')
  })

  test('encodes what encodeURIComponent leaves alone', () => {
    expect(expand('{x}', { x: "!'()*" })).toBe('%21%27%28%29%2A')
    expect(expand('{+x}', { x: "!'()*" })).toBe("!'()*")
  })

  test('keeps encoded triplets only where reserved characters stay', () => {
    expect(expand('{x}', { x: 'a%20b%' })).toBe('a%2520b%25')
    expect(expand('{+x}', { x: 'a%20b%' })).toBe('a%20b%25')
    expect(expand('{#x}', { x: '%zz%FF' })).toBe('#%25zz%FF')
  })

  test('a prefix counts characters and cuts neither a surrogate pair nor an encoded character', () => {
    expect(expand('{x:2}', { x: '😀é!' })).toBe('%F0%9F%98%80%C3%A9')
    expect(expand('{+x:2}', { x: 'a%C3%A9b' })).toBe('a%C3%A9')
    expect(expand('{x:2}', { x: '%C3' })).toBe('%25C')
  })

  test('keeps an apostrophe in a literal, as erratum 6937 allows', () => {
    expect(expand("it's/{x}", { x: 1 })).toBe("it's/1")
  })

  test('encodes literals that are not ASCII and keeps their triplets', () => {
    expect(expand('/é%2f/{x}', { x: 1 })).toBe('/%C3%A9%2f/1')
  })

  test('numbers and booleans are written as text', () => {
    expect(expand('{a,b,c}', { a: 0, b: false, c: -1.5 })).toBe('0,false,-1.5')
  })

  test('undefined and null are left out, also inside lists and associative arrays', () => {
    expect(expand('x{/a,b}{?c,d}', { a: undefined, b: [null, 'q', undefined], c: { k: null }, d: [null] })).toBe('x/q')
  })

  test('an empty member of an associative array is written as the operator writes an empty value', () => {
    expect(expand('{;m*}{?m*}', { m: { k: '' } })).toBe(';k?k=')
    expect(expand('{/m*}', { m: { k: '' } })).toBe('/k=')
  })

  test('takes maps for the values and for associative arrays', () => {
    expect(expand('{?m*}', new Map([['m', new Map([['__proto__', 'x']])]]))).toBe('?__proto__=x')
  })

  test('a variable named like a member of every object is undefined unless given', () => {
    expect(expand('a{constructor}{toString}{__proto__}', {})).toBe('a')
    expect(expand('{constructor}', { constructor: 'c' })).toBe('c')
  })

  test('a very long list expands', () => {
    expect(expand('{/x*}', { x: Array.from({ length: 300_000 }, () => 'a') })).toHaveLength(600_000)
  })

  test.each([
    ['{x:3}', { x: ['list'] }],
    ['{x}', { x: '\ud800' }],
    ['{x}', { x: [['nested']] }],
    ['{x}', { x: () => 1 }],
  ])('%s refuses a value that it cannot write', (template, values) => {
    let thrown: unknown
    try {
      expand(template, values as unknown as TemplateValues)
    } catch (error) {
      thrown = error
    }
    expect(isMcpError(thrown) && thrown.code).toBe('invalid_argument')
    expect(String(thrown)).toContain('"x"')
  })
})
