import type { CallToolResult, JsonObject, Tool } from '@tenon/sdk/client'
import { type JSX, useMemo } from 'react'
import { ContentList } from '../content/content-view.tsx'
import { JsonTree } from '../content/json-tree.tsx'
import { ValueView } from '../content/text-view.tsx'
import { visible } from '../content/visible.ts'
import { checkerFor } from '../form/check.ts'

/** The result of a tool: its content, its structured content beside it, and whether that fits its schema. */
export function ToolResultView(props: {
  result: JsonObject
  tool: Tool
  server: string
  /** Which of several answers on the page it is. */
  which?: string
}): JSX.Element {
  const { content, structuredContent, isError, _meta } = props.result as unknown as CallToolResult
  const blocks = Array.isArray(content) ? content : []
  return (
    <>
      {isError === true && (
        <div className="notice danger" data-problem="tool">
          <strong>The tool ran, and failed</strong>
          <span>Its text is meant for the model to read.</span>
        </div>
      )}
      {structuredContent === undefined ? (
        <ContentList blocks={blocks} server={props.server} />
      ) : (
        <div className="result-columns">
          <section aria-label={named('Structured content', props.which)}>
            <h3>Structured content</h3>
            <SchemaFit tool={props.tool} value={structuredContent} />
            <ValueView value={structuredContent} />
          </section>
          <section aria-label={named('Content', props.which)}>
            <h3>Content</h3>
            <ContentList blocks={blocks} server={props.server} />
          </section>
        </div>
      )}
      {structuredContent === undefined && isError !== true && props.tool.outputSchema !== undefined && (
        <div className="notice warn">
          <strong>The structured content is missing</strong>
          <span>The tool has an output schema, so its results have to have structured content.</span>
        </div>
      )}
      {blocks.length === 0 && structuredContent === undefined && <p className="muted">The result is empty.</p>}
      {_meta !== undefined && (
        <details>
          <summary className="small muted">_meta</summary>
          <JsonTree value={_meta} />
        </details>
      )}
    </>
  )
}

const named = (name: string, which: string | undefined): string => (which === undefined ? name : `${name}, ${which}`)

/** Whether structured content fits the output schema of the tool. */
function SchemaFit({ tool, value }: { tool: Tool; value: unknown }): JSX.Element | null {
  const { outputSchema } = tool
  const checked = useMemo(() => {
    if (outputSchema === undefined) return undefined
    const checker = checkerFor(outputSchema)
    return { problem: checker.problem, issues: [...checker.issues(value)] }
  }, [outputSchema, value])
  if (checked === undefined) return <p className="small muted">The tool promises no schema for this.</p>
  if (checked.problem !== undefined) {
    return (
      <div className="notice warn">
        <strong>The output schema cannot be used</strong>
        <span>{visible(checked.problem)}</span>
      </div>
    )
  }
  if (checked.issues.length === 0) return <span className="badge ok">fits the output schema</span>
  return (
    <div className="notice danger" data-violation>
      <strong>This does not fit the output schema</strong>
      <ul>
        {checked.issues.map(([path, messages]) => (
          <li key={path}>
            <code>{visible(path || '/')}</code> {visible(messages.join('; '))}
          </li>
        ))}
      </ul>
    </div>
  )
}
