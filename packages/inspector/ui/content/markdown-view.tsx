import { type JSX, type ReactNode, useMemo } from 'react'
import { type Block, type Inline, parseMarkdown } from './markdown.ts'
import { visible } from './visible.ts'

/** Text written in Markdown. */
export function MarkdownView({ text }: { text: string }): JSX.Element {
  const blocks = useMemo(() => parseMarkdown(visible(text)), [text])
  return <div className="markdown">{blocks.map(showBlock)}</div>
}

function showBlock(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case 'heading': {
      // The page has headings of its own above these.
      const Tag = `h${Math.min(block.level + 2, 6)}` as 'h3'
      return <Tag key={key}>{block.children.map(showInline)}</Tag>
    }
    case 'paragraph':
      return <p key={key}>{block.children.map(showInline)}</p>
    case 'code':
      return (
        <pre key={key} className="code-block">
          {block.text}
        </pre>
      )
    case 'quote':
      return <blockquote key={key}>{block.children.map(showBlock)}</blockquote>
    case 'list': {
      const items = block.items.map((children, index) => <li key={String(index)}>{children.map(showBlock)}</li>)
      return block.ordered ? (
        <ol key={key} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={key}>{items}</ul>
      )
    }
    case 'table':
      return (
        <div key={key} className="table-scroll">
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={String(index)}>{cell.map(showInline)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={String(index)}>
                  {row.map((cell, column) => (
                    <td key={String(column)}>{cell.map(showInline)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case 'rule':
      return <hr key={key} />
  }
}

function showInline(inline: Inline, key: number): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code key={key}>{inline.text}</code>
    case 'strong':
      return <strong key={key}>{inline.children.map(showInline)}</strong>
    case 'emphasis':
      return <em key={key}>{inline.children.map(showInline)}</em>
    case 'strike':
      return <s key={key}>{inline.children.map(showInline)}</s>
    case 'link':
      return (
        <a key={key} href={inline.href} title={inline.href} target="_blank" rel="noopener noreferrer">
          {inline.children.map(showInline)}
        </a>
      )
    case 'image':
      return (
        <span key={key} className="badge" title={inline.src}>
          picture, not loaded: {inline.alt || 'without a description'}
        </span>
      )
  }
}
