import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

const replacing = /^(?:insertText|deleteContent)/

/**
 * What is typed over a selection replaces it in the editor, and not in the page: Chromium would give the new text the colours
 * of the old one as an inline style, which the policy of the page refuses with an error on the console.
 */
export const replaceSelection: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (!replacing.test(event.inputType) || !event.cancelable || view.composing) return false
    const range = event.getTargetRanges()[0] ?? selectedIn(view)
    if (range === undefined) return false
    const from = view.posAtDOM(range.startContainer, range.startOffset)
    const to = view.posAtDOM(range.endContainer, range.endOffset)
    if (from === to) return false
    event.preventDefault()
    const insert = view.state.toText(event.data ?? '')
    const userEvent = event.inputType === 'insertText' ? 'input.type' : 'delete.selection'
    const update = () =>
      view.state.update({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent })
    // Brackets and quotes are put around a selection by one of these.
    const handlers = event.data === null ? [] : view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, from, to, event.data!, update))) view.dispatch(update())
    return true
  },
})

/** The selection of the page, if it is in the editor. Text that no key types, as of an input method, comes without a target range. */
function selectedIn(view: EditorView): Range | undefined {
  const selection = view.contentDOM.ownerDocument.getSelection()
  if (selection === null || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  return view.contentDOM.contains(range.commonAncestorContainer) ? range : undefined
}
