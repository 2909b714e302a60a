import { type JSX, useId } from 'react'
import { type ClientFeature, clientFeatures, hostPresets } from '../../src/servers/client-features.ts'
import type { SpecDraft } from './spec-draft.ts'
import { TextField } from './text-field.tsx'

const featureWords: { readonly [Feature in ClientFeature]: string } = {
  roots: 'Roots: folders that the server may know of',
  sampling: 'Sampling: the server asks the model',
  'elicitation-form': 'Elicitation: the server asks the user with a form',
  'elicitation-url': 'Elicitation: the server sends the user to a page',
  tasks: 'Tasks',
  apps: 'Apps: views of tools',
}

/** How the workbench presents itself to the server: as itself, as another application, or with fewer features. */
export function ClientFields(props: { draft: SpecDraft; set: (part: Partial<SpecDraft>) => void }): JSX.Element {
  const { draft, set } = props
  const id = useId()
  const standInFor = (host: string): void => {
    const preset = hostPresets.get(host)
    if (preset === undefined) set({ host: '', clientName: '', clientVersion: '', without: [], revision: '' })
    else {
      const { name, version, without, revision } = preset
      set({ host, clientName: name, clientVersion: version, without, revision })
    }
  }
  const offer = (feature: ClientFeature, isOffered: boolean): void => {
    const others = draft.without.filter((other) => other !== feature)
    set({ without: isOffered ? others : [...others, feature] })
  }
  return (
    <fieldset className="client-fields form">
      <legend className="field-label">The client that the server sees</legend>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          As
        </label>
        <select id={id} className="select" value={draft.host} onChange={(event) => standInFor(event.target.value)}>
          <option value="">Tenon Workbench</option>
          {[...hostPresets].map(([host, { label }]) => (
            <option key={host} value={host}>
              {label}
            </option>
          ))}
        </select>
        <p className="small muted">
          Sets the name, the features and the revision of that application; each can be changed below.
        </p>
      </div>
      <TextField
        label="Client name"
        value={draft.clientName}
        set={(clientName) => set({ clientName })}
        placeholder="tenon-inspector"
      />
      {draft.clientName !== '' && (
        <TextField
          label="Client version"
          value={draft.clientVersion}
          set={(clientVersion) => set({ clientVersion })}
          placeholder="1.0.0"
        />
      )}
      <fieldset className="bare field">
        <legend className="field-label">Features of the client</legend>
        {clientFeatures.map((feature) => (
          <label key={feature} className="check">
            <input
              type="checkbox"
              checked={!draft.without.includes(feature)}
              onChange={(event) => offer(feature, event.target.checked)}
            />{' '}
            {featureWords[feature]}
          </label>
        ))}
      </fieldset>
    </fieldset>
  )
}
