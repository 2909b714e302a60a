import { type CSSProperties, type JSX, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Schema } from '../form/resolve.ts'
import type { createEditor, Editor, Language } from './codemirror.ts'

interface Props {
  id: string
  text: string
  /** Called with every change; a text without it is only shown. */
  change?: (text: string) => void
  language: Language
  /** The height in lines, to begin with. */
  rows?: number
  /** The name for those who do not see it. Without one, a `<label>` for the id names it. */
  label?: string | undefined
  placeholder?: string
  /** Makes a value of the text, or an `Unread` whose problem is marked in it. */
  read?: (text: string) => unknown
  /** Completes names and values, and marks those that do not fit. */
  schema?: Schema | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

const smallRows = 4

/** Text with colours, line numbers, folding and search. A plain field stands for it until the editor is loaded. */
export function CodeEditor(props: Props): JSX.Element {
  const { id, text, change, rows = smallRows, label, placeholder } = props
  const plain = useRef<HTMLTextAreaElement>(null)
  const loaded = useEditorCode(plain)
  if (loaded !== undefined) return <LoadedEditor {...props} loaded={loaded} />
  return (
    <textarea
      ref={plain}
      id={id}
      className="textarea mono"
      rows={rows}
      value={text}
      readOnly={change === undefined}
      aria-label={label}
      aria-invalid={props['aria-invalid']}
      aria-describedby={props['aria-describedby']}
      placeholder={placeholder}
      spellCheck={false}
      onChange={(event) => change?.(event.target.value)}
    />
  )
}

/** The code of the editor, and the selection of a person who was typing in the plain field when it came. */
interface Loaded {
  create: typeof createEditor
  selection?: [from: number, to: number]
}

let known: typeof createEditor | undefined

/** The editor is large, and most pages do without it: it comes with the first field that needs it. */
function useEditorCode(plain: RefObject<HTMLTextAreaElement | null>): Loaded | undefined {
  const [loaded, setLoaded] = useState<Loaded | undefined>(known && { create: known })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded once.
  useEffect(() => {
    if (loaded !== undefined) return
    import('./codemirror.ts').then(
      ({ createEditor: create }) => {
        known = create
        const field = plain.current
        if (field === null) return
        const isTyping = document.activeElement === field
        setLoaded({ create, ...(isTyping && { selection: [field.selectionStart, field.selectionEnd] }) })
      },
      // The plain field works too, and the page says that the backend is gone.
      () => {},
    )
  }, [])
  return loaded
}

function LoadedEditor(props: Props & { loaded: Loaded }): JSX.Element {
  const { id, text, change, language, rows = smallRows, placeholder, loaded } = props
  const schema = useSame(props.schema)
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  const [isLeaving, setLeaving] = useState(false)
  const latest = useRef(props)
  latest.current = props
  const takesTab = change !== undefined && rows > smallRows
  const isChecked = props.read !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is written into it when it changes from outside.
  useLayoutEffect(() => {
    const made = loaded.create({
      parent: place.current!,
      text,
      language,
      isReadOnly: change === undefined,
      takesTab,
      placeholder,
      read: isChecked ? (given) => latest.current.read!(given) : undefined,
      schema,
      onChange: (next) => latest.current.change?.(next),
      onLeaving: setLeaving,
    })
    editor.current = made
    if (loaded.selection !== undefined) made.focus(...loaded.selection)
    return () => made.destroy()
  }, [loaded, language, schema, takesTab, isChecked, placeholder])
  useLayoutEffect(() => editor.current!.setText(text), [text])
  const described = [takesTab && `${id}-keys`, props['aria-describedby']].filter(Boolean).join(' ')
  const invalid = props['aria-invalid'] === true
  // Those of a new editor too, which another schema makes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: from `loaded` on, these make another editor.
  useLayoutEffect(() => {
    editor.current!.setAttributes({
      id,
      ...nameOf(id, props.label),
      ...(described !== '' && { 'aria-describedby': described }),
      ...(invalid && { 'aria-invalid': 'true' }),
    })
  }, [id, props.label, described, invalid, loaded, language, schema, takesTab, isChecked, placeholder])
  return (
    <div className={change === undefined ? 'code-editor shown' : 'code-editor'}>
      <div ref={place} style={{ '--rows': rows } as CSSProperties} />
      {takesTab && (
        <p id={`${id}-keys`} className="code-keys small muted">
          {isLeaving ? 'Tab leaves the editor' : 'Esc, then Tab leaves the editor'}
        </p>
      )}
    </div>
  )
}

/** The value of before, for as long as the new one is equal: a list that is read again does not take the focus from an editor. */
function useSame<Value>(value: Value): Value {
  const same = useRef(value)
  if (same.current !== value && JSON.stringify(same.current) !== JSON.stringify(value)) same.current = value
  return same.current
}

/** The name of the editor. A `<label>` names only plain fields by itself. */
function nameOf(id: string, label: string | undefined): { [name: string]: string } {
  if (label !== undefined) return { 'aria-label': label }
  const element = document.querySelector<HTMLLabelElement>(`label[for="${CSS.escape(id)}"]`)
  if (element === null) return {}
  element.id ||= `${id}-label`
  element.onclick = () => document.getElementById(id)?.focus()
  return { 'aria-labelledby': element.id }
}
