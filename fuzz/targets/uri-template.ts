import fc from 'fast-check'
import { isMcpError } from '../../packages/sdk/src/errors.ts'
import {
  parseUriTemplate,
  type TemplateValues,
  type UriTemplate,
} from '../../packages/sdk/src/uri-template/uri-template.ts'
import { mutatedText } from '../lib/mutate.ts'
import { assert, show, type Target, target } from '../lib/target.ts'

const seeds = ['file:///{+path}', 'db://{table}{/id*}{?fields*}', '{a:3}{#b}{.c}{;d*}{&e}', 'x{/p*}/y{?q,r*}{#s}']
const name = fc.constantFrom('a', 'b', 'path', 'id', 'fields', 'x_y', '__proto__', 'constructor')
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 3 }),
  fc.integer(),
  fc.boolean(),
)

function parsed(template: string): UriTemplate | undefined {
  try {
    return parseUriTemplate(template)
  } catch (error) {
    assert(isMcpError(error) && error.code === 'invalid_definition', `threw ${String(error)}`)
    return undefined
  }
}

/** A prefix of a list is no text: such values are refused. */
function expandedWith(template: UriTemplate, values: TemplateValues): string | undefined {
  try {
    return template.expand(values)
  } catch (error) {
    assert(isMcpError(error) && error.code === 'invalid_argument', `threw ${String(error)}`)
    return undefined
  }
}

export const uriTemplates: Target = target({
  name: 'uri-template',
  claim: 'any template is read or refused, expands to what is a URI, and is matched in bounded time',
  inputs: fc.record({
    template: mutatedText(fc.constantFrom(...seeds)),
    values: fc.dictionary(name, value, { maxKeys: 4 }),
    uri: mutatedText(fc.constantFrom('file:///a/b', 'db://users/7?fields=a&fields=b', 'x/a/b/y?q=%F0%9F#s')),
  }),
  check({ template, values, uri }) {
    const found = parsed(template)
    if (found === undefined) return
    const expanded = expandedWith(found, values)
    if (expanded === undefined) return
    // Literal characters that are not allowed in a URI are kept as the template has them.
    assert(/[^\x21-\x7e]/.test(template) || /^[\x21-\x7e]*$/.test(expanded), `expanded to ${show(expanded)}`)
    for (const one of [uri, expanded, expanded.repeat(50)]) {
      const started = performance.now()
      const match = found.match(one)
      assert(performance.now() - started < 2_000, `matching ${show(one)} took too long`)
      for (const variable of Object.keys(match ?? {})) {
        assert(found.variables.includes(variable), `found ${show(variable)}, which the template does not have`)
      }
    }
  },
})
