import { visibleJson } from '@tenon/sdk/display'
import { type JSX, useId, useMemo, useState } from 'react'
import { readExact, writeExact } from '../../src/exact-json.ts'
import { CodeEditor } from '../editor/code-editor.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { JsonTree } from './json-tree.tsx'
import { looksLikeMarkdown } from './markdown.ts'
import { MarkdownView } from './markdown-view.tsx'
import { TableView, tableOf } from './table-view.tsx'
import { visible } from './visible.ts'

type Form = 'Markdown' | 'Table' | 'Tree' | 'Plain'

const maxPlain = 200_000

/** Text in the form that suits it best, and in the other forms that it has. */
export function TextView({ text, mimeType }: { text: string; mimeType?: string | undefined }): JSX.Element {
  const json = useMemo(() => parseJson(text), [text])
  const forms = useMemo(() => formsOf(text, json, mimeType), [text, json, mimeType])
  const [chosen, choose] = useState<Form>()
  const form = chosen !== undefined && forms.includes(chosen) ? chosen : forms[0]!
  return (
    <>
      <div className="block-head">
        {forms.length > 1 && <FormButtons forms={forms} form={form} choose={choose} />}
        <CopyButton text={text} />
      </div>
      {form === 'Markdown' && <MarkdownView text={text} />}
      {form === 'Table' && <TableView rows={tableOf(json)!} />}
      {form === 'Tree' && <JsonTree value={json} />}
      {form === 'Plain' && json !== undefined && <JsonText text={text} />}
      {form === 'Plain' && json === undefined && <pre className="plain-text">{visible(text.slice(0, maxPlain))}</pre>}
    </>
  )
}

/** Any JSON value: as a tree, or as a table. */
export function ValueView({ value }: { value: unknown }): JSX.Element {
  const rows = tableOf(value) ?? tableOf(onlyMember(value))
  const forms: Form[] = rows === undefined ? ['Tree', 'Plain'] : ['Tree', 'Table', 'Plain']
  const [form, choose] = useState<Form>('Tree')
  const text = (): string => writeExact(value, 2)
  return (
    <>
      <div className="block-head">
        <FormButtons forms={forms} form={form} choose={choose} />
        <CopyButton text={text} />
      </div>
      {form === 'Tree' && <JsonTree value={value} open={3} />}
      {form === 'Table' && rows && <TableView rows={rows} />}
      {form === 'Plain' && <JsonText text={text()} />}
    </>
  )
}

/** JSON as it is written, in an editor that only shows it. */
export function JsonText({ text, label = 'JSON' }: { text: string; label?: string }): JSX.Element {
  const id = useId()
  return <CodeEditor id={id} label={label} language="json" rows={1} text={visibleJson(text.slice(0, maxPlain))} />
}

function FormButtons(props: { forms: Form[]; form: Form; choose: (form: Form) => void }): JSX.Element {
  const { forms, form, choose } = props
  return (
    <fieldset className="row bare" aria-label="Show as">
      {forms.map((name) => (
        <button
          key={name}
          type="button"
          className="button small quiet"
          aria-pressed={name === form}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return readExact(text)
  } catch {
    return undefined
  }
}

function formsOf(text: string, json: unknown, mimeType = ''): Form[] {
  if (json !== undefined) return tableOf(json) === undefined ? ['Tree', 'Plain'] : ['Tree', 'Table', 'Plain']
  if (mimeType.includes('markdown') || (mimeType === '' && looksLikeMarkdown(text))) return ['Markdown', 'Plain']
  return ['Plain']
}

function onlyMember(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const members = Object.values(value)
  return members.length === 1 ? members[0] : undefined
}
