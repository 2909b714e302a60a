import { type JSX, type ReactNode, useId } from 'react'
import { type AppSetup, devices, type Insets, readLocale, safeAreas } from './app-setup.ts'

interface Props {
  setup: AppSetup
  change: (setup: AppSetup) => void
}

const themes = [
  ['page', 'As this page'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const
const locales = ['en-US', 'de-DE', 'fr-FR', 'pt-BR', 'ja-JP', 'zh-Hans-CN', 'ar-EG', 'he-IL']
const edges = ['top', 'right', 'bottom', 'left'] as const

/** The surroundings of a view: its size, colours, language and safe area. */
export function SetupBar({ setup, change }: Props): JSX.Element {
  const set = (part: Partial<AppSetup>): void => change({ ...setup, ...part })
  const isLocale = readLocale(setup.locale) !== undefined
  const list = useId()
  return (
    <fieldset className="bare app-setup" aria-label="Surroundings of the view">
      <Choice
        label="Size"
        value={setup.device}
        choose={(device) => set({ device })}
        options={[
          ['fill', 'As wide as the page'],
          ...[...devices].map(([name, { label }]) => [name, label] as const),
          ['own', 'Another size'],
        ]}
      />
      {setup.device === 'own' && (
        <>
          <Pixels label="Width" least={100} value={setup.width} set={(width) => set({ width })} />
          <Pixels label="Height" least={100} value={setup.height} set={(height) => set({ height })} />
        </>
      )}
      <Choice label="Theme" value={setup.theme} choose={(theme) => set({ theme })} options={themes} />
      <Field label="Locale">
        {(id) => (
          <>
            <input
              id={id}
              className="input"
              list={list}
              value={setup.locale}
              placeholder={navigator.language}
              aria-invalid={!isLocale}
              title={isLocale ? undefined : 'A locale is a tag such as de-DE'}
              onChange={(event) => set({ locale: event.target.value })}
            />
            <datalist id={list}>
              {locales.map((locale) => (
                <option key={locale} value={locale} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Choice
        label="Safe area"
        value={setup.safeArea}
        choose={(safeArea) => set({ safeArea })}
        options={[...[...safeAreas].map(([name, { label }]) => [name, label] as const), ['own', 'Other edges']]}
      />
      {setup.safeArea === 'own' &&
        edges.map((edge) => (
          <Pixels
            key={edge}
            label={edgeWords[edge]}
            least={0}
            value={setup.insets[edge]}
            set={(pixels) => set({ insets: { ...setup.insets, [edge]: pixels } })}
          />
        ))}
    </fieldset>
  )
}

const edgeWords: { [edge in keyof Insets]: string } = { top: 'Top', right: 'Right', bottom: 'Bottom', left: 'Left' }

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }): JSX.Element {
  const id = useId()
  return (
    <div className="app-field">
      <label className="small muted" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  )
}

function Choice<Name extends string>(props: {
  label: string
  value: Name
  choose: (name: Name) => void
  options: readonly (readonly [name: Name, label: string])[]
}): JSX.Element {
  const { label, value, choose, options } = props
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} className="select small" value={value} onChange={(event) => choose(event.target.value as Name)}>
          {options.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

const maxPixels = 4_000

function Pixels(props: { label: string; least: number; value: number; set: (pixels: number) => void }): JSX.Element {
  const { label, least, value, set } = props
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          className="input"
          type="number"
          min={least}
          max={maxPixels}
          // Half a number is not sent: the view keeps the last whole one.
          defaultValue={value}
          onChange={({ target }) => target.value !== '' && target.checkValidity() && set(target.valueAsNumber)}
        />
      )}
    </Field>
  )
}
