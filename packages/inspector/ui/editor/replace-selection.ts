import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

const replacing = /^(?:insertText|deleteContent)/

/**
 * What is typed over a selection replaces it in the editor, and not in the page: Chromium would give the new text the colours
 * of the old one as an inline style, which the policy of the page refuses with an error on the console.
 */
export const replaceSelection: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const [range] = event.getTargetRanges()
    if (range === undefined || !replacing.test(event.inputType) || !event.cancelable || view.composing) return false
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
