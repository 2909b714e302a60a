import type { ElicitationField, ElicitValue } from '@tenon/sdk/client'
import { readYesOrNo } from './yes-or-no.ts'

export interface Choice {
  value: string
  title: string
}

/** The choices of a field; undefined if any text can be typed. */
export function choicesOf(field: ElicitationField): Choice[] | undefined {
  if (field.type === 'array') {
    const { items } = field
    if ('anyOf' in items) return items.anyOf.map(({ const: value, title }) => ({ value, title: title ?? value }))
    return items.enum?.map((value) => ({ value, title: value }))
  }
  if ('oneOf' in field) return field.oneOf.map(({ const: value, title }) => ({ value, title: title ?? value }))
  if (!('enum' in field)) return undefined
  return field.enum.map((value, index) => ({ value, title: field.enumNames?.[index] ?? value }))
}

/** The expected input of a field, in a few words. */
export function expectation(field: ElicitationField): string {
  switch (field.type) {
    case 'boolean':
      return 'y/n'
    case 'array':
      return 'several, with commas'
    case 'number':
    case 'integer':
      return [field.type === 'integer' ? 'a whole number' : 'a number', bounds(field.minimum, field.maximum)]
        .filter((part) => part !== '')
        .join(' ')
    default:
      return 'format' in field && field.format ? (formats.get(field.format) ?? field.format) : ''
  }
}

const formats = new Map([
  ['email', 'an email address'],
  ['uri', 'a URL'],
  ['date', 'a date such as 2026-07-28'],
  ['date-time', 'a time such as 2026-07-28T09:30:00Z'],
])

function bounds(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}`
  if (least !== undefined) return `of at least ${least}`
  return most === undefined ? '' : `of at most ${most}`
}

/** The value of a typed text. Invalid input stays text, and the check reports it. */
export function typedValue(text: string, field: ElicitationField): ElicitValue {
  const choices = choicesOf(field)
  switch (field.type) {
    case 'boolean':
      return readYesOrNo(text) ?? text
    case 'number':
    case 'integer': {
      const number = Number(text.trim())
      return text.trim() === '' || Number.isNaN(number) ? text : number
    }
    case 'array':
      return text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map((part) => chosen(part, choices ?? []))
    default:
      return choices ? chosen(text.trim(), choices) : text
  }
}

/** A choice by its value, its title, or its number in the list. */
function chosen(text: string, choices: readonly Choice[]): string {
  const wanted = text.toLowerCase()
  const named =
    choices.find(({ value }) => value === text) ??
    choices.find(({ value, title }) => value.toLowerCase() === wanted || title.toLowerCase() === wanted)
  return (named ?? choices[/^\d+$/.test(text) ? Number(text) - 1 : -1])?.value ?? text
}

/** A value as it is shown, and as it could be typed. */
export function shownValue(value: ElicitValue, field: ElicitationField): string {
  if (typeof value === 'boolean') return value ? 'y' : 'n'
  const titles = new Map(choicesOf(field)?.map((choice) => [choice.value, choice.title]))
  return [value]
    .flat()
    .map((one) => titles.get(String(one)) ?? String(one))
    .join(', ')
}

/** Tab completes choices; in a list, the last one. */
export const choiceCompleter =
  (field: ElicitationField) =>
  async (line: string): Promise<[string[], string]> => {
    const names = (choicesOf(field) ?? []).map(({ value }) => value)
    const last = field.type === 'array' ? line.slice(line.lastIndexOf(',') + 1).trimStart() : line
    return [names.filter((name) => name.toLowerCase().startsWith(last.toLowerCase())), last]
  }
