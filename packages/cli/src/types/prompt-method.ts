import type { Prompt } from '@tenon/sdk/client'
import { comment } from './comment.ts'
import { promptHelper } from './helpers.ts'
import { propertyName, quoted } from './literal.ts'
import { about, type Method, mention } from './method.ts'
import { memberName, type Names, typeName } from './names.ts'

/** A method that fills in a prompt. */
export function promptMethod(prompt: Prompt, members: Names, names: Names): Method {
  const { name } = prompt
  const member = members.unique(memberName(name))
  // A server may say the same twice.
  const args = [...new Map((prompt.arguments ?? []).map((argument) => [argument.name, argument])).values()]
  const helper = promptHelper
  if (args.length === 0) {
    return {
      types: '',
      signature: `${about(prompt)}  ${member}(options?: CallOptions): Promise<GetPromptResult>\n`,
      body: `${member}: (options) => prompt(client, ${quoted(name)}, undefined, options)`,
      helper,
    }
  }
  const type = names.unique(`${typeName(name)}Arguments`)
  const lines = args.map((one) => `${about(one)}  ${propertyName(one.name)}${one.required ? '' : '?'}: string\n`)
  const optional = args.some(({ required }) => required) ? '' : '?'
  return {
    types: `${comment([`The arguments of the prompt ${mention(name)}.`])}export type ${type} = {\n${lines.join('')}}\n`,
    signature: `${about(prompt)}  ${member}(args${optional}: ${type}, options?: CallOptions): Promise<GetPromptResult>\n`,
    body: `${member}: (args, options) => prompt(client, ${quoted(name)}, args, options)`,
    helper,
  }
}
