import type { Tool } from '@tenon/sdk/client'
import { brief } from '../brief.ts'
import type { Collector } from '../collector.ts'
import { at } from '../subjects.ts'

const reading = new Set([
  'get',
  'list',
  'read',
  'search',
  'find',
  'show',
  'describe',
  'count',
  'query',
  'view',
  'lookup',
])
const changing = new Set(
  'add append apply commit copy create edit insert install make merge move patch post publish push put rename save send set store submit update upload write'.split(
    ' ',
  ),
)
const destroying = new Set(
  'clear delete destroy drop erase kill overwrite purge remove reset revoke truncate uninstall wipe'.split(' '),
)

/** The first verb of a name: `delete` of `delete_file`, `file.delete` and `deleteFile`. `add` alone may be a sum. */
function verbOf(name: string): string | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const isVerb = (word: string): boolean =>
    reading.has(word) || destroying.has(word) || (changing.has(word) && words.length > 1)
  return words.find(isVerb)
}

/** Annotations that are missing, contradict each other, or contradict the name of the tool. */
export function checkAnnotations(tool: Tool, found: Collector): void {
  const subject = at({ kind: 'tool', name: tool.name }, '/annotations')
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {}
  if (readOnlyHint === undefined && destructiveHint === undefined) {
    found.add('annotations-missing', {
      subject,
      message: 'It does not say whether it changes anything: hosts take it for destructive, and ask before every call.',
      fix: 'Set readOnlyHint: true if it only reads, or destructiveHint: false if it only adds.',
    })
    return
  }
  const contradict = (message: string, fix: string): void =>
    found.add('annotations-contradict', { subject, message, fix })
  if (readOnlyHint === true && destructiveHint === true) {
    contradict(
      'readOnlyHint and destructiveHint are both true.',
      'A tool that destroys something does not only read: keep one of the two.',
    )
  }
  const verb = verbOf(tool.name)
  if (verb === undefined) return
  const said = `"${brief(verb, 20)}" in its name`
  if (readOnlyHint === true && !reading.has(verb)) {
    contradict(
      `readOnlyHint is true, and ${said} says that it changes something.`,
      'Correct the annotation, or the name.',
    )
  } else if (destructiveHint === false && destroying.has(verb)) {
    contradict(`destructiveHint is false, and ${said} says the opposite.`, 'Correct the annotation, or the name.')
  } else if (readOnlyHint !== true && destructiveHint === true && reading.has(verb)) {
    contradict(`destructiveHint is true, and ${said} says that it only reads.`, 'Correct the annotation, or the name.')
  }
}
