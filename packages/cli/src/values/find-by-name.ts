import { CommandFailure, ExitCode } from '../exit.ts'
import { didYouMean } from '../line/did-you-mean.ts'

/** Finds something by its name in a list of the server, or fails with the nearest name. */
export async function findByName<Item extends { name: string }>(
  what: string,
  name: string,
  items: AsyncIterable<Item>,
): Promise<Item> {
  const names: string[] = []
  for await (const item of items) {
    if (item.name === name) return item
    names.push(item.name)
  }
  const all = names.length === 0 ? `The server has no ${what}s.` : `It has ${shortList(names)}.`
  throw new CommandFailure(
    ExitCode.Usage,
    `unknown_${what}`,
    `The server has no ${what} named ${JSON.stringify(name)}`,
    didYouMean(name, names) ?? all,
  )
}

const shortList = (names: string[]): string =>
  names.length <= 12 ? names.join(', ') : `${names.slice(0, 10).join(', ')} and ${names.length - 10} more`

/** Everything that a list of the server has, however many pages it takes. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
