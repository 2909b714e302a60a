import { quoted } from '../brief.ts'
import { type Collector, step } from '../collector.ts'
import { at, type Listed } from '../subjects.ts'

/** Some models of OpenAI refuse longer ones. */
const maxDescription = 1_024
/** Arguments that a message names. */
const maxNamed = 6

type Members = { readonly [name: string]: unknown }

const textIn = (definition: object, name: string): string => {
  const text = (definition as Members)[name]
  return typeof text === 'string' ? text.trim() : ''
}

/** Descriptions, titles and the descriptions of arguments: the only help that a model and a person have. */
export function checkDescriptions(all: readonly Listed[], found: Collector): void {
  const described = new Map<string, string>()
  for (const listed of all) {
    const { kind, name, definition } = listed
    if (kind !== 'tool' && kind !== 'prompt') continue
    const description = textIn(definition, 'description')
    if (description === '') {
      found.add('description-missing', {
        subject: at(listed, '/description'),
        message: `The ${kind} has no description.`,
        fix: 'Say in a sentence or two what it does, when to use it, and what comes back.',
      })
    }
    checkTitle(listed, found)
    if (kind === 'prompt') checkPromptArguments(listed, found)
    else checkTool(listed, description, described.get(description), found)
    if (kind === 'tool' && description !== '') described.set(description, name)
  }
}

function checkTitle(listed: Listed, found: Collector): void {
  const { annotations } = listed.definition as { annotations?: unknown }
  const title = textIn(listed.definition, 'title') || textIn(Object(annotations), 'title')
  if (title !== '') return
  found.add('title-missing', {
    subject: at(listed, '/title'),
    message: `The ${listed.kind} has no title, so people are shown its name.`,
    fix: 'Add a short title for people, such as "Read a file".',
  })
}

function checkTool(listed: Listed, description: string, twin: string | undefined, found: Collector): void {
  if (description !== '' && twin !== undefined) {
    found.add('description-duplicate', {
      subject: at(listed, '/description'),
      message: `${quoted(twin)} has the same description: a model cannot choose between the two.`,
      fix: 'Say how they differ, or make one tool of them.',
    })
  }
  if (description.length > maxDescription) {
    found.addFor('description-long', ['openai', 'openai-strict'], {
      subject: at(listed, '/description'),
      message: `The description has ${description.length} characters; some models of OpenAI take ${maxDescription}.`,
      fix: 'Move details into the descriptions of the arguments, or into a resource.',
    })
  }
  const { inputSchema } = listed.definition as { inputSchema?: { properties?: unknown } }
  const bare = Object.entries(Object(inputSchema?.properties) as Members)
    .filter(([, schema]) => textIn(Object(schema), 'description') === '' && !refersElsewhere(schema))
    .map(([name]) => name)
  undescribed(listed, bare, (name) => `/inputSchema/properties${step(name)}/description`, found)
}

const refersElsewhere = (schema: unknown): boolean => typeof schema === 'object' && schema !== null && '$ref' in schema

function checkPromptArguments(listed: Listed, found: Collector): void {
  const { arguments: list } = listed.definition as { arguments?: unknown }
  const names = (Array.isArray(list) ? list : []).map((argument) => textIn(Object(argument), 'name'))
  const bare = names.filter((_, index) => textIn(Object((list as unknown[])[index]), 'description') === '')
  undescribed(listed, bare, (name) => `/arguments/${names.indexOf(name)}/description`, found)
}

/** One finding for all arguments of a definition, at the first of them. */
function undescribed(listed: Listed, names: string[], pointerTo: (name: string) => string, found: Collector): void {
  const [first, ...others] = names
  if (first === undefined) return
  const shown = names.slice(0, maxNamed).map(quoted).join(', ')
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  found.add('argument-undescribed', {
    subject: at(listed, pointerTo(first)),
    message: `${others.length === 0 ? 'This argument has' : 'These arguments have'} no description: ${shown}${more}.`,
    fix: 'Describe the meaning, the unit or format, and give an example.',
  })
}
