import type { Tool } from '@tenon/sdk/client'
import { answerHelper, structuredHelper } from './helpers.ts'
import { quoted } from './literal.ts'
import { about, type Method, mention } from './method.ts'
import { memberName, type Names, typeName } from './names.ts'
import { isSchema, type Schema, schemasIn } from './schema.ts'
import { declareTypes } from './schema-types.ts'

/** A method that calls a tool: it answers the structured output, or the whole result where there is none. */
export function toolMethod(tool: Tool, members: Names, names: Names): Method {
  const { name, inputSchema, outputSchema } = tool
  const member = members.unique(memberName(name))
  const input = names.unique(`${typeName(name)}Input`)
  const output = isSchema(outputSchema) ? names.unique(`${typeName(name)}Output`) : undefined
  const types = [declareTypes(input, asObject(inputSchema), names, `The input of the tool ${mention(name)}.`)]
  if (output) types.push(declareTypes(output, outputSchema!, names, `The output of the tool ${mention(name)}.`))
  const parameters = `input${needsInput(inputSchema) ? '' : '?'}: ${input}, options?: ToolCallOptions`
  return {
    types: types.join('\n'),
    signature: `${about(tool)}  ${member}(${parameters}): Promise<${output ?? 'ToolCallResult'}>\n`,
    body: `${member}: (input, options) => ${output ? 'structured' : 'answer'}(client, ${quoted(name)}, input, options)`,
    helper: output ? structuredHelper : answerHelper,
  }
}

/** Arguments are an object, also if the schema has no `type`. */
const asObject = (schema: Schema): Schema => (Object.hasOwn(schema, 'type') ? schema : { ...schema, type: 'object' })

/**
 * True if a call without arguments would be refused, or if the schema has references or combinations, which are not
 * examined.
 */
const needsInput = ({ required, ...schema }: Schema): boolean =>
  schemasIn(required).length > 0 ||
  ['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => Object.hasOwn(schema, keyword))
