import { appResource } from '@tenon/sdk/apps'
import type { ServerResource } from '@tenon/sdk/server'
import { viewPage } from '@tenon/server-kit'

const page = viewPage({
  name: 'thoughts',
  title: 'Thoughts',
  style: `  ol { list-style: none; margin: 0; padding: 0 }
  li { margin: 0.35rem 0; padding: 0.4rem 0.6rem; border-left: 3px solid #4a6fa5; white-space: pre-wrap; overflow-wrap: anywhere }
  li.branch { border-color: #e0883c }
  li.revision { border-left-style: dashed }
  b { font-weight: 600; margin-right: 0.5rem }`,
  body: `<main><p id="state">Waiting for thoughts …</p><ol id="thoughts" aria-label="Thoughts"></ol></main>`,
  script: `  const depthOf = (thoughts, thought) => {
    let depth = 0
    for (let at = thought; at !== undefined; at = thoughts.get(at.parent)) {
      const before = thoughts.get(at.parent)
      if (at.branchId !== undefined && (before === undefined || before.branchId !== at.branchId)) depth++
    }
    return depth
  }
  const show = ({ thoughts = [], total = 0 }) => {
    const byPlace = new Map(thoughts.map((thought) => [thought.place, thought]))
    const items = thoughts.map((thought) => {
      const item = document.createElement('li')
      const label = document.createElement('b')
      const branch = thought.branchId === undefined ? '' : ', branch ' + thought.branchId
      const revision = thought.isRevision ? ', revises ' + (thought.revisesThought ?? 'an earlier thought') : ''
      label.textContent = thought.thoughtNumber + '/' + thought.totalThoughts + branch + revision
      item.append(label, thought.thought)
      item.style.marginInlineStart = depthOf(byPlace, thought) * 1.5 + 'rem'
      if (thought.branchId !== undefined) item.classList.add('branch')
      if (thought.isRevision) item.classList.add('revision')
      return item
    })
    document.getElementById('thoughts').replaceChildren(...items)
    document.getElementById('state').textContent = items.length + ' of ' + total + ' thoughts'
  }`,
})

/** A view that reaches nothing outside itself. */
export const treeView: ServerResource = appResource({
  uri: 'ui://sequential-thinking/tree',
  name: 'thought-tree',
  title: 'Tree of thoughts',
  description: 'Shows the thoughts of a chain, with revisions and branches',
  html: page,
  prefersBorder: true,
})
