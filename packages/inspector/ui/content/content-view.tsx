import type { ContentBlock, ResourceContents } from '@tenon/sdk/client'
import type { JSX } from 'react'
import { hrefTo } from '../state/route.ts'
import { decodedSize, pictureUrl, soundUrl } from './data-url.ts'
import { size } from './format.ts'
import { JsonTree } from './json-tree.tsx'
import { TextView } from './text-view.tsx'
import { visible } from './visible.ts'

/** The blocks of a result or a message, each by its kind. */
export function ContentList({ blocks, server }: { blocks: readonly ContentBlock[]; server: string }): JSX.Element {
  return (
    <>
      {blocks.map((block, index) => (
        <div className="block" key={String(index)} data-block={block.type}>
          <ContentView block={block} server={server} />
          <Audience block={block} />
        </div>
      ))}
    </>
  )
}

function Audience({ block }: { block: ContentBlock }): JSX.Element | null {
  const audience = block.annotations?.audience
  if (!Array.isArray(audience) || audience.length === 0) return null
  return <span className="small muted">for the {audience.map(String).map(visible).join(' and the ')}</span>
}

function ContentView({ block, server }: { block: ContentBlock; server: string }): JSX.Element {
  switch (block.type) {
    case 'text':
      return <TextView text={block.text} />
    case 'image':
      return <Picture data={block.data} mimeType={block.mimeType} />
    case 'audio':
      return <Sound data={block.data} mimeType={block.mimeType} />
    case 'resource_link':
      return (
        <a className="link-card" href={hrefTo('resources', server, block.uri)}>
          <strong>{visible(block.title ?? block.name)}</strong>
          <span className="mono muted">{visible(block.uri)}</span>
          {block.description !== undefined && <span className="muted">{visible(block.description)}</span>}
        </a>
      )
    case 'resource':
      return <ContentsView contents={block.resource} />
    default:
      // A kind that a later revision may bring.
      return <JsonTree value={block} />
  }
}

/** The contents of a resource: text, a picture, a sound, or bytes. */
export function ContentsView({ contents }: { contents: ResourceContents }): JSX.Element {
  const { uri, mimeType } = contents
  const about = (
    <div className="row small muted">
      <span className="mono">{visible(uri)}</span>
      {mimeType !== undefined && <span className="badge">{visible(mimeType)}</span>}
    </div>
  )
  if ('text' in contents) {
    return (
      <div className="block">
        {about}
        <TextView text={contents.text} mimeType={mimeType} />
      </div>
    )
  }
  return (
    <div className="block">
      {about}
      <Bytes data={contents.blob} mimeType={mimeType} />
    </div>
  )
}

function Bytes({ data, mimeType }: { data: string; mimeType: string | undefined }): JSX.Element {
  if (pictureUrl(data, mimeType) !== undefined) return <Picture data={data} mimeType={mimeType} />
  if (soundUrl(data, mimeType) !== undefined) return <Sound data={data} mimeType={mimeType} />
  return <Download data={data} mimeType={mimeType} />
}

function Picture({ data, mimeType }: { data: string; mimeType: string | undefined }): JSX.Element {
  const url = pictureUrl(data, mimeType)
  if (url === undefined) return <Download data={data} mimeType={mimeType} />
  return (
    <>
      <img className="picture" src={url} alt={`From the server, ${mimeType}`} />
      <Download data={data} mimeType={mimeType} />
    </>
  )
}

function Sound({ data, mimeType }: { data: string; mimeType: string | undefined }): JSX.Element {
  const url = soundUrl(data, mimeType)
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: media of a server have no captions. */}
      {url !== undefined && <audio controls src={url} aria-label={`Sound from the server, ${mimeType}`} />}
      <Download data={data} mimeType={mimeType} />
    </>
  )
}

/** Bytes are saved as bytes: the browser opens nothing, of any type. */
function Download({ data, mimeType }: { data: string; mimeType: string | undefined }): JSX.Element {
  const save = (): void => {
    const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (character) => character.charCodeAt(0))
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `from-server.${/^[a-z]+\/([a-z0-9]{1,8})/i.exec(mimeType ?? '')?.[1] ?? 'bin'}`
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <div className="row small muted">
      <span>
        {mimeType === undefined ? 'Bytes' : visible(mimeType)}, {size(decodedSize(data))}
      </span>
      <button type="button" className="button small" onClick={save}>
        Save
      </button>
    </div>
  )
}
