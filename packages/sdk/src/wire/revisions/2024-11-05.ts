import { changeMember, omitting } from '../change.ts'
import type { Difference } from '../dialect.ts'
import { before } from '../dialect.ts'
import { describeMedia, textInstead } from '../older/content-text.ts'

/** The first revision: no batches, no audio, no tool annotations, no progress messages. */
export const rev20241105: Difference = (newer) =>
  before(newer, {
    revision: '2024-11-05',
    batches: false,
    shapes: {
      serverCapabilities: omitting('completions'),
      tool: omitting('annotations'),
      content: (block) => (block.type === 'audio' ? textInstead(block, describeMedia(block)) : block),
      progress: omitting('message'),
    },
    upgrades: {
      // Completion needs no capability here, so every server may support it.
      initialize: (result) =>
        changeMember(result, 'capabilities', (declared) =>
          declared.completions ? declared : { ...declared, completions: {} },
        ),
    },
  })
