/** One option of a command. */
export type OptionSpec =
  | (Common & { type: 'flag' })
  /** `value` is the word for the value in the help. With `alone` it stands after `=` or is missing, and is that then. */
  | (Common & { type: 'text'; value: string; default?: string; alone?: string })
  | (Common & { type: 'choice'; choices: readonly string[]; default?: string })
  /** May be given several times. */
  | (Common & { type: 'list'; value: string })
  /** A time: `500ms`, `30s`, `5m`, or seconds. */
  | (Common & { type: 'time'; value?: string })
  /** Bytes: `500000`, `64M`, `1G`. */
  | (Common & { type: 'size'; value?: string })
  | (Common & { type: 'number'; value: string; min?: number; max?: number })

interface Common {
  short?: string
  help: string
}

export type OptionTable = { readonly [name: string]: OptionSpec }

/** The value of an option; absent options are `undefined`, flags `false` and lists empty. */
type OptionValue<Spec extends OptionSpec> = Spec extends { type: 'flag' }
  ? boolean
  : Spec extends { type: 'list' }
    ? string[]
    : Spec extends { type: 'time' | 'size' | 'number' }
      ? number | undefined
      : string | undefined

export type OptionValues<Table extends OptionTable> = { [Name in keyof Table]: OptionValue<Table[Name]> }

/** The values of options that were not given, for a command that has only some of those that a part of it reads. */
export function absentOptions<Table extends OptionTable>(table: Table): OptionValues<Table> {
  const absent = Object.entries(table).map(([name, { type }]) => [
    name,
    type === 'flag' ? false : type === 'list' ? [] : undefined,
  ])
  return Object.fromEntries(absent) as OptionValues<Table>
}
