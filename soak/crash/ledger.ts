/** An acknowledged value, and those that were tried afterwards: after a kill it is one of them. */
interface Written {
  acknowledged: string | undefined
  tried: string[]
}

interface Task {
  acknowledged: number
  tried: number
  deleted: 'no' | 'tried' | 'yes'
}

/** Records the reports of writers: the required and the possible state after a kill. */
export class Ledger {
  readonly tasks = new Map<string, Task>()
  readonly values = new Map<string, Written>()
  readonly clients = new Set<string>()
  readonly problems: string[] = []
  lines = 0
  acknowledged = 0
  refused = 0

  note(line: string): void {
    this.lines++
    const [verb, ...rest] = line.split(' ')
    if (verb === 'wrong') this.problems.push(`a writer failed: ${rest.join(' ')}`)
    if (verb === 'full') this.refused++
    if (verb === 'done') this.acknowledged++
    const [kind, ...words] = rest as [string, ...string[]]
    if (kind === 'task') this.#task(verb!, words)
    if (kind === 'delete') this.#delete(verb!, words[0]!)
    if (kind === 'token') this.#value(verb!, `token ${words[0]}`, words[1]!)
    if (kind === 'file') this.#value(verb!, 'file', words[0]!)
    if (kind === 'client' && verb === 'done') this.clients.add(words[1]!)
  }

  #task(verb: string, [id, text]: string[]): void {
    const task = this.tasks.get(id!) ?? { acknowledged: 0, tried: 0, deleted: 'no' }
    const version = Number(text)
    this.tasks.set(id!, task)
    if (verb === 'try') task.tried = version
    if (verb === 'full') task.tried = version - 1
    if (verb === 'done') task.acknowledged = version
  }

  #delete(verb: string, id: string): void {
    this.tasks.get(id)!.deleted = verb === 'done' ? 'yes' : 'tried'
  }

  #value(verb: string, key: string, value: string): void {
    const written = this.values.get(key) ?? { acknowledged: undefined, tried: [] }
    this.values.set(key, written)
    if (verb === 'try') written.tried.push(value)
    if (verb === 'full') written.tried.pop()
    if (verb === 'done') this.values.set(key, { acknowledged: value, tried: [] })
  }

  /** Compares a value with the possible ones; from here on it is the found one. */
  checkValue(key: string, found: string | undefined): void {
    const { acknowledged, tried } = this.values.get(key)!
    if (found !== acknowledged && !tried.includes(found!))
      this.problems.push(`${key}: expected ${[acknowledged, ...tried].join(' or ')}, found ${found}`)
    this.values.set(key, { acknowledged: found, tried: [] })
  }

  checkTask(id: string, found: number | undefined): void {
    const { acknowledged, tried, deleted } = this.tasks.get(id)!
    const isThere = found !== undefined && found >= acknowledged && found <= tried
    const mayBeGone = acknowledged === 0 || deleted !== 'no'
    if (found === undefined ? !mayBeGone : !isThere || deleted === 'yes')
      this.problems.push(
        `task ${id}: expected ${deleted === 'yes' ? 'none' : `${acknowledged} to ${tried}`}, found ${found}`,
      )
    if (found === undefined) this.tasks.delete(id)
    else this.tasks.set(id, { acknowledged: found, tried: found, deleted: 'no' })
  }
}
