import type { InputDefinition, ServerEntry } from '@tenon/host/config'
import { tenonFolder } from '@tenon/host/folder'
import { hasSecrets, keepInputAnswer, readInputAnswer, secretPlace } from '@tenon/host/store'
import type { ElicitationField } from '@tenon/sdk/client'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import { withExclusiveTerminal } from './exclusive-terminal.ts'
import { askField } from './form-prompt.ts'
import { yesOrNo } from './yes-or-no.ts'

/** The answer that was kept for an input of an entry. */
export async function keptAnswer(entry: ServerEntry, id: string, terminal: Terminal): Promise<string | undefined> {
  const { env } = terminal.surroundings
  const folder = tenonFolder({ env })
  // A look at the keychain may open a window, so it is not looked at in vain.
  return hasSecrets(folder) ? await readInputAnswer(await secretPlace(folder, env), entry, id) : undefined
}

/** Asks for an input, hidden if it is a password, and keeps the answer if the person wants that. */
export const askForInput = (
  entry: ServerEntry,
  input: InputDefinition,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | undefined> =>
  withExclusiveTerminal(terminal, async () => {
    const { bold, dim } = terminal.notes
    terminal.warn(say`${bold(entry.name)} needs an input ${dim(`(${entry.source.file ?? entry.source.title})`)}`)
    const question = {
      name: input.id,
      field: fieldOf(input),
      isRequired: true,
      hidden: input.password === true,
      fallback: input.default,
    }
    const step = await askField(question, terminal, signal)
    if (step.move !== 'next' || typeof step.value !== 'string') return undefined
    await offerToKeep(entry, input, step.value, terminal, signal)
    return step.value
  })

function fieldOf({ id, description, type, options }: InputDefinition): ElicitationField {
  const about = { type: 'string', title: id, ...(description !== undefined && { description }) } as const
  return type === 'pickString' && options !== undefined ? { ...about, enum: options } : about
}

async function offerToKeep(
  entry: ServerEntry,
  { id }: InputDefinition,
  value: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const { env } = terminal.surroundings
  const folder = tenonFolder({ env })
  const place = await secretPlace(folder, env)
  const where = place.where === 'keychain' ? 'in the keychain' : `in ${place.file}, which only you can read`
  const keeps = await yesOrNo(`Keep it for the next time, ${where}?`, false, terminal, signal)
  // An older answer was wrong: it is not used again.
  if (keeps || hasSecrets(folder)) await keepInputAnswer(place, entry, id, keeps ? value : undefined)
}
