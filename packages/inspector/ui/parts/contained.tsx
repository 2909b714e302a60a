import { Component, type ReactNode } from 'react'
import { visible } from '../content/visible.ts'
import { Empty } from './empty.tsx'

interface Props {
  /** Another place is tried anew. */
  place: unknown
  children: ReactNode
}

/** A fault of this page stays in its part of it: the others go on, and nothing that was typed there is lost. */
export class Contained extends Component<Props, { problem?: string | undefined }> {
  override readonly state: { problem?: string | undefined } = {}

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) }
  }

  override componentDidUpdate({ place }: Props): void {
    if (place !== this.props.place && this.state.problem !== undefined) this.#tryAgain()
  }

  override render(): ReactNode {
    const { problem } = this.state
    if (problem === undefined) return this.props.children
    return (
      <div role="alert">
        <Empty alone title="This part of the page has failed">
          <p className="mono">{visible(problem)}</p>
          <p>The fault is one of the workbench. Your servers, their calls and the timeline are as they were.</p>
          <button type="button" className="button" onClick={() => this.#tryAgain()}>
            Try again
          </button>
        </Empty>
      </div>
    )
  }

  #tryAgain(): void {
    this.setState({ problem: undefined })
  }
}
