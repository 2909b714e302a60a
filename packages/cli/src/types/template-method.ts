import type { ResourceTemplate } from '@tenon/sdk/client'
import { parseUriTemplate } from '@tenon/sdk/uri-template'
import { comment } from './comment.ts'
import { readHelper } from './helpers.ts'
import { propertyName, quoted } from './literal.ts'
import { about, type Method, mention } from './method.ts'
import { memberName, type Names, typeName } from './names.ts'

/** Whether a template can be filled in at all. */
export function isUsable({ uriTemplate }: ResourceTemplate): boolean {
  try {
    parseUriTemplate(uriTemplate)
    return true
  } catch {
    return false
  }
}

/** A method that fills in a template and reads the resource. */
export function templateMethod(template: ResourceTemplate, members: Names, names: Names): Method {
  const { name, uriTemplate } = template
  const member = members.unique(memberName(name))
  const type = names.unique(`${typeName(name)}Variables`)
  const variables = parseUriTemplate(uriTemplate).variables.map((variable) => useOf(variable, uriTemplate))
  const lines = variables.map(({ name, optional, listed }) => {
    const list = listed ? ` | (${scalar})[]` : ''
    return `  ${propertyName(name)}${optional ? '?' : ''}: ${scalar}${list}\n`
  })
  const written = lines.length === 0 ? '{ [key: string]: never }' : `{\n${lines.join('')}}`
  const mark = variables.every(({ optional }) => optional) ? '?' : ''
  const parameters = `variables${mark}: ${type}, options?: CallOptions`
  return {
    types: `${comment([`The variables of ${mention(uriTemplate)}.`])}export type ${type} = ${written}\n`,
    signature: `${about(template)}  ${member}(${parameters}): Promise<ReadResourceResult>\n`,
    body: `${member}: (variables, options) => read(client, ${quoted(uriTemplate)}, variables, options)`,
    helper: readHelper,
  }
}

const scalar = 'string | number | boolean'

/** How a template uses a variable: one in a query is optional, and an exploded one (`{list*}`) may be a list. */
function useOf(name: string, template: string): { name: string; optional: boolean; listed: boolean } {
  const uses = [...template.matchAll(/\{([+#./;?&]?)([^}]*)\}/g)].flatMap(([, operator, specs]) =>
    specs!
      .split(',')
      .flatMap((spec) => (spec.replace(/(?:\*|:\d+)$/, '') === name ? [{ operator: operator!, spec }] : [])),
  )
  return {
    name,
    optional: uses.every(({ operator }) => operator === '?' || operator === '&'),
    listed: uses.some(({ spec }) => spec.endsWith('*')),
  }
}
