import { useMemo, useState } from 'preact/hooks'
import { type Place, useCities, useStates } from '../../../../api/places.ts'
import { Combobox } from '../../../../ui/form/combobox.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { fold } from '../../../../words/fold.ts'
import { language, t } from '../../../../words/words.ts'

interface PlaceFieldsProps {
  readonly country: string
  /** Code of the catalogue, or what was typed. */
  readonly stateCode: string
  readonly cityName: string
  readonly onChange: (change: { readonly stateCode?: string; readonly cityName?: string }) => void
  readonly problems?: { readonly state?: string | undefined; readonly city?: string | undefined }
}

/** Most suggestions that are shown at once; typing more letters leaves fewer. */
const SHOWN_MAX = 100
const none: readonly Place[] = []

const nameOf = ({ name, nameAr }: Place) => (language.value === 'ar' && nameAr ? nameAr : name)
const withCode = (state: Place) => `${state.code} · ${nameOf(state)}`

/** Fields for the state and the city of an address. Each suggests places of the catalogue and takes any other text. */
export function PlaceFields({ country, stateCode, cityName, onChange, problems = {} }: PlaceFieldsProps) {
  const states = useStates(country).data ?? none
  const state = states.find(({ code }) => code === stateCode)
  const cities = useCities(country, state?.code).data ?? none
  const city = cities.find(({ name }) => name === cityName)
  return (
    <div class="pair">
      <Field label={t('place.state')} problem={problems.state}>
        <PlaceInput
          places={states}
          text={state ? withCode(state) : stateCode}
          show={withCode}
          onText={(text) => onChange({ stateCode: text, cityName: '' })}
          onPlace={({ code }) => onChange(code === stateCode ? {} : { stateCode: code, cityName: '' })}
        />
      </Field>
      <Field label={t('place.city')} problem={problems.city}>
        <PlaceInput
          places={cities}
          text={city ? nameOf(city) : cityName}
          show={nameOf}
          onText={(text) => onChange({ cityName: text })}
          onPlace={({ name }) => onChange({ cityName: name })}
        />
      </Field>
    </div>
  )
}

interface PlaceInputProps {
  readonly places: readonly Place[]
  readonly text: string
  readonly show: (place: Place) => string
  readonly onText: (text: string) => void
  readonly onPlace: (place: Place) => void
  readonly [attribute: string]: unknown
}

function PlaceInput({ places, text, show, onText, onPlace, ...field }: PlaceInputProps) {
  // While it is being typed, the text stays as it is, although it may name a place already.
  const [typed, setTyped] = useState<string | null>(null)
  const known = useMemo(
    () => places.map((place) => ({ place, words: ` ${fold(`${place.name} ${place.nameAr ?? ''}`)}`, code: fold(place.code) })),
    [places],
  )
  const wanted = fold(typed ?? '')
  const found = wanted === '' ? known : known.filter(({ words, code }) => code === wanted || words.includes(` ${wanted}`))
  const choose = (place: Place) => {
    setTyped(null)
    onPlace(place)
  }
  // A whole code or name is chosen without a click, such as `16`, or a name without its accents.
  const leave = () => {
    setTyped(null)
    const isNamed = ({ code, name, nameAr }: Place) => [code, name, nameAr ?? ''].some((each) => fold(each) === wanted)
    const named = wanted === '' ? undefined : places.find(isNamed)
    if (named) onPlace(named)
  }
  return (
    <Combobox
      {...field}
      text={typed ?? text}
      onText={(entered) => {
        setTyped(entered)
        onText(entered)
      }}
      items={found.slice(0, SHOWN_MAX).map(({ place }) => place)}
      keyOf={({ code }) => code}
      show={show}
      onChoose={choose}
      onLeave={leave}
    />
  )
}
