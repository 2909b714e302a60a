import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  insertCompletionText,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  ensureSyntaxTree,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { linter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { tagHighlighter, tags } from '@lezer/highlight'
import { checkerFor } from '../form/check.ts'
import { Unread } from '../form/draft.ts'
import type { Schema } from '../form/resolve.ts'
import { adoptEditorStyles } from './adopt-styles.ts'
import { type Suggestion, suggestionsAt } from './complete-json.ts'
import { jsonLines } from './json-lines.ts'
import { faultMarks, issueMarks, type Mark } from './json-marks.ts'
import { replaceSelection } from './replace-selection.ts'

adoptEditorStyles()

export type Language = 'json' | 'json-lines' | 'yaml' | 'text'

export interface EditorOptions {
  parent: HTMLElement
  text: string
  language: Language
  isReadOnly: boolean
  /** Tab indents, and Escape before it lets it leave. In small editors and in those that only show it leaves at once. */
  takesTab: boolean
  placeholder: string | undefined
  /** Makes a value of the text, or an `Unread`: the reason why is marked. */
  read: ((text: string) => unknown) | undefined
  schema: Schema | undefined
  onChange: (text: string) => void
  /** Tells whether the next Tab leaves. */
  onLeaving: (isLeaving: boolean) => void
}

/** An editor on the page. */
export interface Editor {
  setText(text: string): void
  setAttributes(attributes: { [name: string]: string }): void
  /** Focuses it, with a selection, as far as the text goes. */
  focus(from: number, to: number): void
  destroy(): void
}

const fromOutside = Annotation.define<true>()

/** Classes of tokens, coloured by the style sheets of the page. */
const colours = tagHighlighter([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: 'code-name' },
  { tag: tags.string, class: 'code-string' },
  { tag: [tags.number, tags.bool], class: 'code-number' },
  { tag: tags.null, class: 'code-null' },
  { tag: tags.comment, class: 'code-comment' },
])

/** Characters that cannot be seen, or change the direction of others; not those that shape the emoji before them. */
const unseen =
  /(?![\t\n])(?!(?<=\p{Emoji})\ufe0f|(?<=\p{Extended_Pictographic}\ufe0f?)\u200d)[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

const languages: { readonly [name in Language]: () => Extension } = {
  json: () => json(),
  'json-lines': () => jsonLines,
  yaml: () => yaml(),
  text: () => [],
}

export function createEditor(options: EditorOptions): Editor {
  const attributes = new Compartment()
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        looks(options),
        options.isReadOnly ? showing : typing(options),
        languages[options.language](),
        attributes.of([]),
      ],
    }),
  })
  return {
    setText(text) {
      if (text === view.state.doc.toString()) return
      const changes = { from: 0, to: view.state.doc.length, insert: text }
      view.dispatch({ changes, annotations: fromOutside.of(true) })
    },
    setAttributes: (given) =>
      view.dispatch({ effects: attributes.reconfigure(EditorView.contentAttributes.of(given)) }),
    focus(anchor, head) {
      const { length } = view.state.doc
      const selection = { anchor: Math.min(anchor, length), head: Math.min(head, length) }
      view.dispatch({ selection, scrollIntoView: true })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}

const looks = ({ placeholder: words }: EditorOptions): Extension => [
  lineNumbers(),
  foldGutter({ openText: '▾', closedText: '▸' }),
  highlightSpecialChars({ specialChars: unseen }),
  syntaxHighlighting(colours),
  bracketMatching(),
  highlightSelectionMatches(),
  search({ top: true }),
  keymap.of([...searchKeymap, ...foldKeymap]),
  EditorView.lineWrapping,
  indentUnit.of('  '),
  words === undefined ? [] : placeholder(words),
]

/** A text that is only looked at can be focused, selected, searched and folded. */
const showing: Extension = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-readonly': 'true' }),
  keymap.of(defaultKeymap),
]

const typing = (options: EditorOptions): Extension => [
  history(),
  drawSelection(),
  indentOnInput(),
  closeBrackets(),
  replaceSelection,
  highlightActiveLine(),
  highlightActiveLineGutter(),
  options.schema === undefined ? [] : completion(options.schema),
  options.read === undefined ? [] : marks(options.read, options.schema),
  options.takesTab ? tab(options) : [],
  // Ctrl+Enter is left to the page, which calls.
  keymap.of([
    ...closeBracketsKeymap,
    ...lintKeymap,
    ...historyKeymap,
    ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
  ]),
  EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    if (docChanged && !transactions.some((one) => one.annotation(fromOutside))) options.onChange(state.doc.toString())
  }),
]

const leavingMs = 60_000

/** Tab indents or takes a suggestion. Escape before it lets it leave, as it does in all other fields. */
function tab({ onLeaving }: EditorOptions): Extension {
  let isLeaving = false
  const set = (next: boolean): void => {
    if (next !== isLeaving) onLeaving(next)
    isLeaving = next
  }
  return [
    Prec.high(keymap.of([{ key: 'Tab', run: acceptCompletion }])),
    keymap.of([
      {
        key: 'Escape',
        run: (view) => {
          // The second Escape is one of the page: it leads back to the list.
          if (isLeaving) return false
          view.setTabFocusMode(leavingMs)
          set(true)
          return true
        },
      },
      indentWithTab,
    ]),
    EditorView.domEventHandlers({
      keydown: ({ key }) => {
        if (key !== 'Escape' && key !== 'Tab' && key !== 'Shift') set(false)
        return false
      },
      blur: () => set(false),
    }),
  ]
}

function completion(schema: Schema): Extension {
  const complete = (context: CompletionContext): CompletionResult | null => {
    const found = suggestionsAt(context.state.doc.toString(), context.pos, schema)
    if (found === undefined || found.options.length === 0) return null
    // Without a wish, only a token that has begun and a place behind a name are completed.
    const before = context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos)
    if (!context.explicit && found.from === context.pos && !/:\s?$/.test(before)) return null
    return { from: found.from, to: found.to, options: found.options.map(toCompletion) }
  }
  return [autocompletion({ override: [complete], icons: false, interactionDelay: 0 }), keymap.of(completionKeymap)]
}

const toCompletion = ({ label, text, back, kind, detail, about }: Suggestion, index: number): Completion => ({
  label,
  // Those that match alike stand in the order of the schema.
  boost: Math.max(-99, -index),
  type: kind,
  apply(view, completed, from, to) {
    const change = insertCompletionText(view.state, text, from, to)
    const selection = { anchor: from + text.length - back }
    view.dispatch({ ...change, selection, annotations: pickedCompletion.of(completed) })
    // Behind a name its value is asked for, and inside of an object its names.
    if (back > 0 || text.endsWith(' ')) startCompletion(view)
  },
  ...(detail && { detail }),
  ...(about && { info: about }),
})

/** The fault of the text, or the values in it that the schema does not allow. */
function marks(read: (text: string) => unknown, schema: Schema | undefined): Extension {
  const checker = schema === undefined ? undefined : checkerFor(schema, { formats: true })
  return linter(({ state }): Mark[] => {
    const text = state.doc.toString()
    const value = text.trim() === '' ? undefined : read(text)
    if (value instanceof Unread) return faultMarks(text, value, syntaxFault(state))
    return value === undefined || checker === undefined ? [] : issueMarks(text, checker.issues(value))
  })
}

/** The place of the first fault of the grammar. */
function syntaxFault(state: EditorState): number | undefined {
  let at: number | undefined
  ensureSyntaxTree(state, state.doc.length)?.iterate({
    enter: (node) => {
      if (node.type.isError) at ??= node.from
    },
  })
  return at
}
